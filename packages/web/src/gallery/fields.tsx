import { useState } from 'react'
import { Tick } from '../ui/checkbox.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Field, inputLook } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { Sample } from './sample.tsx'

/** Fields, choices and ticks. */
export function Fields() {
  const [tags, setTags] = useState(['shop'])
  const [isOn, setOn] = useState(true)
  return (
    <>
      <Sample name="Field">
        <Field label="Name" help="As people know it.">
          {(control) => <input {...control} className={inputLook} defaultValue="Front page" />}
        </Field>
        <Field label="Address" faulty complaint="must be an http or https address">
          {(control) => <input {...control} className={inputLook} defaultValue="ftp://shop" />}
        </Field>
        <Field label="Disabled">{(control) => <input {...control} disabled className={inputLook} />}</Field>
      </Sample>
      <Sample name="Select">
        <Select aria-label="How often">
          <option>Every minute</option>
          <option>Every hour</option>
        </Select>
        <Select aria-label="Order" look="quiet">
          <option>Trouble first</option>
        </Select>
      </Sample>
      <Sample name="Combobox">
        <Combobox
          label="Tags"
          placeholder="Tag"
          items={['shop', 'checkout', 'payments']}
          chosen={tags}
          onChange={setTags}
        />
      </Sample>
      <Sample name="Tick">
        <Tick label="Muted" help="Nobody is notified." checked={isOn} onChange={setOn} />
        <Tick label="Off" checked={false} onChange={() => undefined} />
        <Tick label="Disabled" checked disabled onChange={() => undefined} />
      </Sample>
      <Sample name="Text to copy">
        <CopyText label="Copy the command" text="VEDETTE_URL=https://vedette.example.com npm run agent" />
      </Sample>
    </>
  )
}
