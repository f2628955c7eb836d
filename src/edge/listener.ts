/**
 * What an edge listens with: the engine's application, over TCP or over TLS.
 *
 * Control plane. The engine takes a certificate when an application is made. So a new pair is a new
 * application: the one that listens hands every connection it accepts to the newest, and the others keep
 * the connections they have until these end. The port is never closed, so nobody who knocks meanwhile is
 * sent away. An application that is no longer the newest stays in memory (some 0.2 MB), as often as a
 * certificate is renewed.
 */
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { errors } from '../model/errors.ts';
import type { HttpEngine } from './http/http-engine.ts';
import { isStill, type TlsPair } from './http/tls-pair.ts';

/** What the engine has beside its types. */
interface HandingApp extends TemplatedApp {
  getDescriptor(): unknown;
  addChildAppDescriptor(descriptor: unknown): void;
  removeChildAppDescriptor(descriptor: unknown): void;
}

/** One port of one thread. */
export class Listener {
  readonly #engine: HttpEngine;
  readonly #route: (app: TemplatedApp) => void;
  /** The first listens, the last takes what comes. */
  readonly #apps: HandingApp[];
  #socket: us_listen_socket | null = null;

  /**
   * @param tls null: HTTP without TLS.
   * @param route registers the endpoints.
   * @throws TLS_PAIR_UNUSABLE when the engine cannot use the pair.
   */
  constructor(engine: HttpEngine, tls: TlsPair | null, route: (app: TemplatedApp) => void) {
    this.#engine = engine;
    this.#route = route;
    this.#apps = [this.#made(tls)];
  }

  /**
   * Listens.
   *
   * @returns the port. @throws ADDRESS_UNUSABLE
   */
  open(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#apps[0]!.listen(host, port, (socket) => {
        if (socket === false) {
          const reason = 'it is in use or not an address of this machine';
          reject(errors.ADDRESS_UNUSABLE({ host, port, reason }));
          return;
        }
        this.#socket = socket;
        resolve(this.#engine.us_socket_local_port(socket));
      });
    });
  }

  /**
   * Takes another pair for all connections from now on.
   *
   * @throws TLS_PAIR_UNUSABLE; the one before stays in use.
   */
  renew(tls: TlsPair): void {
    const next = this.#made(tls);
    const [first] = this.#apps as [HandingApp];
    first.addChildAppDescriptor(next.getDescriptor());
    if (this.#apps.length > 1) first.removeChildAppDescriptor(this.#apps.at(-1)!.getDescriptor());
    this.#apps.push(next);
  }

  /** Accepts no more connections. */
  closePort(): void {
    if (this.#socket !== null) this.#engine.us_listen_socket_close(this.#socket);
    this.#socket = null;
  }

  /** Cuts all connections off. */
  close(): void {
    for (const app of this.#apps) app.close();
  }

  #made(tls: TlsPair | null): HandingApp {
    const app = tls === null ? this.#engine.App() : this.#secureApp(tls);
    this.#route(app);
    return app as HandingApp;
  }

  #secureApp(tls: TlsPair): TemplatedApp {
    const { certFile, keyFile } = tls;
    const changed = 'it was changed while it was read; when both files are whole, try again';
    if (!isStill(tls)) throw errors.TLS_PAIR_UNUSABLE({ path: certFile, reason: changed });
    let app: TemplatedApp;
    try {
      app = this.#engine.SSLApp({ cert_file_name: certFile, key_file_name: keyFile });
    } catch (cause) {
      const reason = 'the HTTP engine cannot use it; take a key of RSA or ECDSA';
      throw errors.TLS_PAIR_UNUSABLE({ path: certFile, reason }, cause);
    }
    if (!isStill(tls)) throw errors.TLS_PAIR_UNUSABLE({ path: certFile, reason: changed });
    return app;
  }
}
