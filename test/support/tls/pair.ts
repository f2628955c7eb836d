/** Certificates of one's own, made by openssl: a pair of files, and what a client is told of them. */
import { execFileSync } from 'node:child_process';
import { connect } from 'node:tls';

/**
 * Writes a self-signed certificate for localhost and its key.
 *
 * @param name the subject: by it a pair is told from another one.
 */
export function makePair(certFile: string, keyFile: string, name: string): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', keyFile, '-out', certFile, '-days', '30', '-subj', `/CN=${name}`],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ],
    { stdio: 'pipe' },
  );
}

/** The name of the certificate that a server shows a new connection. */
export function shownName(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
