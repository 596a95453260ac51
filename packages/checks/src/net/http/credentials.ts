/** User and password of an address, as browsers and `curl` send them; undefined when it has neither. */
export const credentialsOf = ({ username, password }: URL): string | undefined =>
  username === '' && password === '' ? undefined : [username, password].map(decoded).join(':')

/** The value of an `Authorization` header that sends user and password. */
export const basicAuthorization = (credentials: string): string =>
  `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`

/** A lone percent sign stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return part
  }
}
