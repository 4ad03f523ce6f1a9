import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';

/** Files of the key and the certificate that a server shows. */
export interface ShownCertificate {
  readonly key: string;
  readonly cert: string;
}

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/self-signed/${name}.pem`, import.meta.url));

/** Certificate that signs itself; that of the name is for localhost and 127.0.0.1, or says otherwise. */
export const certificateOf = (name: 'cert' | 'expired' | 'other-host'): ShownCertificate => ({
  key: fileOf('key'),
  cert: fileOf(name),
});

/** Ways in which a certificate is refused, and whether the client knows its authority. */
export const REFUSED_CERTIFICATES = [
  { name: 'of an unknown authority', certificate: certificateOf('cert'), isKnown: false },
  { name: 'that has expired', certificate: certificateOf('expired'), isKnown: true },
  { name: 'of another host', certificate: certificateOf('other-host'), isKnown: true },
] as const;

/** Shows a certificate in front of a Postgres that has none, as a proxy for TLS does. */
export const showBeforePostgres = async (
  target: number,
  { key, cert }: ShownCertificate,
): Promise<{ readonly port: number; stop(): void }> => {
  const secureContext = createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) });
  const server = createServer((socket) => {
    // The client asks for TLS first.
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      const onward = connect(target, '127.0.0.1');
      secure.on('error', () => onward.destroy());
      onward.on('error', () => secure.destroy());
      secure.pipe(onward).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
};
