/** A regular expression, JSONPath or document that cannot be used. Its message is shown to the user. */
export class ExpressionProblem extends Error {}
