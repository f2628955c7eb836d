/** Somebody with a browser: signs in, keeps the cookie, and sends it along from pages of the service. */
import type { Answer, Stage, Wish } from './stage.ts';

export class Person {
  readonly email: string;
  readonly #stage: Stage;
  #cookie = '';

  constructor(stage: Stage, email: string) {
    this.#stage = stage;
    this.email = email;
  }

  /** Follows a link with a token, sets a password there, and signs in. */
  async signIn(token: string, password: string): Promise<void> {
    await this.#fromPage({ method: 'POST', path: 'password/reset', body: { token, password } });
    const { headers } = await this.#fromPage({
      ...{ method: 'POST', path: 'login', body: { email: this.email, password } },
    });
    const set = headers.get('set-cookie') ?? '';
    const cookie = /^footfall_session=[^;]+/.exec(set)?.[0];
    if (cookie === undefined || !/httponly/i.test(set)) throw new Error(`no session: '${set}'`);
    this.#cookie = cookie;
  }

  async get<Json>(path: string, wish: Partial<Wish> = {}): Promise<Json> {
    return (await this.#fromPage({ method: 'GET', path, ...wish })).json as Json;
  }

  async post<Json>(path: string, body: unknown, wish: Partial<Wish> = {}): Promise<Json> {
    return (await this.#fromPage({ method: 'POST', path, body, ...wish })).json as Json;
  }

  async put(path: string, body: unknown): Promise<void> {
    await this.#fromPage({ method: 'PUT', path, body });
  }

  async delete(path: string, wish: Partial<Wish> = {}): Promise<void> {
    await this.#fromPage({ method: 'DELETE', path, ...wish });
  }

  #fromPage(wish: Wish): Promise<Answer> {
    const headers = this.#cookie === '' ? {} : { cookie: this.#cookie };
    return this.#stage.ask({ ...wish, headers, isFromPage: true });
  }
}
