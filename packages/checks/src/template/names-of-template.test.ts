import { expect, it } from 'vitest'
import { alertTemplates } from './alert-templates.ts'
import { namesOfTemplate } from './names-of-template.ts'

const names = (text: string) => namesOfTemplate(alertTemplates, text)

it('finds every name that a template reads, once, in branches that are not taken too', () => {
  expect(names('{{A}} {{{B}}} {{#if C}}{{D}}{{else}}{{A}}{{/if}} {{default E "x"}} {{eq (lookup F "g") H}}')).toEqual([
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'H',
  ])
})

it('takes helpers, texts and what a block is about for no names', () => {
  expect(names('{{$UUID}} {{moment "YYYY"}} {{year}} plain')).toEqual([])
  expect(names('{{#each TAGS}}{{this}}{{@index}}{{length}}{{../ALERT_ID}}{{else}}{{NONE}}{{/each}}')).toEqual([
    'TAGS',
    'ALERT_ID',
    'NONE',
  ])
  expect(names('{{#each TAGS as |tag|}}{{tag}}{{/each}}{{this.ALERT_ID}}')).toEqual(['TAGS', 'ALERT_ID'])
  expect(names('{{#CHECK_NAME}}{{length}}{{/CHECK_NAME}}')).toEqual(['CHECK_NAME'])
})

it('refuses what is no template', () => {
  expect(() => names('{{#if A}}')).toThrow('is not closed')
})
