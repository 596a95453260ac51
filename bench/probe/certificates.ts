import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of an ECDSA P-256 chain (leaf, intermediate, root) for `localhost` and 127.0.0.1, made with the openssl command. */
export interface BenchCertificates {
  rootFile: string
  key: string
  chain: string
}

const days = '-days 30'
const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

export function makeCertificates(folder: string): BenchCertificates {
  const openssl = (line: string) =>
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, 'openssl.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n')
  writeFileSync(join(folder, 'ca.ext'), 'basicConstraints=critical,CA:TRUE\n')
  writeFileSync(join(folder, 'leaf.ext'), 'subjectAltName=DNS:localhost,DNS:held.test,IP:127.0.0.1\n')
  const request = (name: string) =>
    openssl(`req -new -config openssl.cnf ${newKey} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`)
  const sign = (name: string, issuer: string, extensions: string) =>
    openssl(
      `x509 -req -in ${name}.csr -CA ${issuer}.pem -CAkey ${issuer}.key -CAcreateserial ${days} -extfile ${extensions} -out ${name}.pem`,
    )
  openssl(
    `req -x509 -config openssl.cnf ${newKey} ${days} -subj /CN=root -addext basicConstraints=critical,CA:TRUE -keyout root.key -out root.pem`,
  )
  request('intermediate')
  sign('intermediate', 'root', 'ca.ext')
  request('leaf')
  sign('leaf', 'intermediate', 'leaf.ext')
  return {
    rootFile: join(folder, 'root.pem'),
    key: read('leaf.key'),
    chain: read('leaf.pem') + read('intermediate.pem'),
  }
}
