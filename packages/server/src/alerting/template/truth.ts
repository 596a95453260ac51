/** Handlebars truth: empty lists are false as well as what JavaScript calls false. */
export const isTruthy = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))
