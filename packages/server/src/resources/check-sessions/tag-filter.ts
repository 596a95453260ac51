/** One list of a filter by tags: what a check must have and must not have. */
export interface TagRule {
  must: string[]
  not: string[]
}

/** `!tag` must not be there; a tag whose name begins with `!` cannot be asked for. */
export const tagRules = (matchTags: readonly (readonly string[])[]): TagRule[] =>
  matchTags.map((tags) => ({
    must: tags.filter((tag) => !tag.startsWith('!')),
    not: tags.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1)),
  }))
