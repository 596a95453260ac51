import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key and the chain to present with it, PEM. */
interface TestCertificate {
  key: string
  cert: string
}

interface LeafOptions {
  /** Subject alternative names in OpenSSL's form: `DNS:a.example,IP:127.0.0.1`. */
  names?: string
  /** `YYMMDDHHMMSSZ`. */
  notBefore?: string
  notAfter?: string
}

/** A throw-away authority made with the openssl command, in a temporary folder. */
export interface TestAuthority {
  ca: string
  leaf(options?: LeafOptions): TestCertificate
  selfSigned(): TestCertificate
  remove(): void
}

const config = `[ca]
default_ca = test
[test]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = dn
prompt = no
[dn]
commonName = unused
`

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-certificates-'))
  /** `fixed` is split at spaces, the rest is passed as it is. */
  const openssl = (fixed: string, ...rest: string[]) =>
    execFileSync('openssl', [...fixed.split(' '), ...rest], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, 'openssl.cnf'), config)
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(join(folder, 'serial'), '01\n')
  const selfSign = (name: string, subject: string, extension: string) => {
    const fixed = `req -x509 -config openssl.cnf ${newKey} -days 30 -keyout ${name}.key -out ${name}.pem`
    openssl(fixed, '-subj', `/CN=${subject}`, '-addext', extension)
  }
  selfSign('ca', 'Vedette Test Root', 'basicConstraints=critical,CA:TRUE')
  let count = 0

  return {
    ca: read('ca.pem'),
    leaf({ names = 'DNS:localhost,IP:127.0.0.1', notBefore = '200101000000Z', notAfter = '491231000000Z' } = {}) {
      const name = `leaf${(count += 1)}`
      const files = `-keyout ${name}.key -out ${name}.csr`
      openssl(`req -new -config openssl.cnf ${newKey} ${files} -subj /CN=leaf.test -addext`, `subjectAltName=${names}`)
      const dates = `-startdate ${notBefore} -enddate ${notAfter}`
      const signed = `-in ${name}.csr -out ${name}.pem`
      openssl(`ca -batch -config openssl.cnf -cert ca.pem -keyfile ca.key -notext ${dates} ${signed}`)
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) }
    },
    selfSigned() {
      selfSign('self', 'self.test', 'subjectAltName=DNS:localhost')
      return { key: read('self.key'), cert: read('self.pem') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
