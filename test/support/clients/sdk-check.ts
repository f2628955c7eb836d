/** Lets what pirsch-sdk receives be compared with the OpenAPI document, too (`answer-check.ts`). */
import { checkAnswer } from './answer-check.ts';

interface Received {
  readonly config: { readonly method?: string; readonly url?: string };
  readonly status: number;
  readonly data: unknown;
}
interface Interceptors {
  readonly response: {
    use(good: (answer: Received) => Received, bad: (error: { response?: Received }) => never): void;
  };
}

/** The same client, unmodified but for an ear at its HTTP client, which is private. */
export function checkedSdk<Sdk extends object>(sdk: Sdk): Sdk {
  const { httpClient } = sdk as { httpClient?: { interceptors: Interceptors } };
  if (httpClient === undefined) throw new Error('pirsch-sdk keeps its HTTP client elsewhere now');
  const check = ({ config, status, data }: Received): void =>
    checkAnswer((config.method ?? 'get').toUpperCase(), config.url ?? '', status, data);
  httpClient.interceptors.response.use(
    (answer) => {
      check(answer);
      return answer;
    },
    (error) => {
      if (error.response !== undefined) check(error.response);
      throw error;
    },
  );
  return sdk;
}
