/**
 * Statistics of any node, as an account sees them: tokens are had and renewed here.
 */
import { type Parameters, queryString } from '../../support/clients/query-string.ts';
import { pause } from '../cluster/child.ts';
import type { AccountSecrets, Node } from '../cluster/cluster.ts';
import { type Answer, HttpClient, type Sent } from '../load/http-client.ts';

/** Until a healed cluster must answer. */
const PATIENCE_MS_MAX = 45_000;

/** Reads from every node. */
export class Reader {
  readonly http = new HttpClient();
  readonly #nodes: readonly Node[];
  readonly #secrets: AccountSecrets;
  readonly #tokens = new Map<number, string>();
  /** Answers of another kind than the statistic, in `patiently`. */
  refusals = 0;

  constructor(nodes: readonly Node[], secrets: AccountSecrets) {
    this.#nodes = nodes;
    this.#secrets = secrets;
  }

  /** Asks once for a statistic, or for `ledger`. @returns status 0 when no answer came in time. */
  async ask(node: Node, name: string, parameters: Parameters, timeoutMs = 30_000): Promise<Answer> {
    const path = name === 'ledger' ? name : `statistics/${name}`;
    const url = `${node.baseUrl}/api/v1/${path}${queryString(parameters)}`;
    return this.#signed(node, { url, timeoutMs });
  }

  /** Makes an object on the first node. */
  async post(what: string, body: unknown): Promise<Answer> {
    const node = this.#nodes[0] as Node;
    const url = `${node.baseUrl}/api/v1/${what}`;
    return this.#signed(node, {
      url,
      method: 'POST',
      body: JSON.stringify(body),
      timeoutMs: 30_000,
    });
  }

  /** Asks until there is an answer. @throws Error when there is none for too long. */
  async patiently(node: Node, name: string, parameters: Parameters): Promise<unknown> {
    return JSON.parse(await this.text(node, name, parameters)) as unknown;
  }

  /** As `patiently`, the answer as it came. */
  async text(node: Node, name: string, parameters: Parameters): Promise<string> {
    const startMs = performance.now();
    for (;;) {
      const { status, text } = await this.ask(node, name, parameters);
      if (status === 200) return text;
      this.refusals++;
      if (performance.now() - startMs > PATIENCE_MS_MAX) {
        throw new Error(
          `${node.child.name} answers ${name}${queryString(parameters)} with ${status} ${text}`,
        );
      }
      await pause(30);
    }
  }

  async #signed(node: Node, sent: Sent): Promise<Answer> {
    let token = this.#tokens.get(node.index) ?? '';
    if (token !== '') {
      const answer = await this.http.send({ ...sent, headers: bearer(token) });
      if (answer.status !== 401) return answer;
    }
    token = await this.#token(node);
    return this.http.send({ ...sent, headers: bearer(token) });
  }

  async #token(node: Node): Promise<string> {
    const { client_id, client_secret } = this.#secrets;
    const answer = await this.http.send({
      url: `${node.baseUrl}/api/v1/token`,
      method: 'POST',
      body: JSON.stringify({ client_id, client_secret }),
      timeoutMs: 5_000,
    });
    if (answer.status !== 200) return '';
    const { access_token } = JSON.parse(answer.text) as { access_token: string };
    this.#tokens.set(node.index, access_token);
    return access_token;
  }
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token}` };
}
