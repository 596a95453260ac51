/** What a rendering may ask of the outside. */
export interface TemplateWorld {
  now(): number
  random(): number
  uuid(): string
}

/** A word of the template language that computes: Handlebars calls these helpers. */
export type Word =
  /** A value or, as a block, a choice between the block and its `{{else}}`. */
  | { kind: 'condition'; min: number; max: number; decide(args: readonly unknown[]): unknown }
  | { kind: 'value'; min: number; max: number; compute(args: readonly unknown[], world: TemplateWorld): unknown }
  | { kind: 'block'; min: number; max: number }
