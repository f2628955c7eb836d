/**
 * The reference page of the API, made in the browser from the service's own OpenAPI document.
 *
 * One list of endpoints by subject; a search over paths, sentences and field names; a form for each
 * that sends a real request. Sections are filled when they come into view: there are a hundred.
 */
import { byId, element } from '../element.ts';
import { isFound, type OpenApi, type Operation, operationsOf } from './operations.ts';
import { schemaView, typeOf } from './schema-view.ts';
import { tryIt } from './try-it.ts';

/** Where the document is. */
const DOCUMENT = '/api/v1/openapi.json';

interface Entry {
  readonly operation: Operation;
  readonly section: HTMLElement;
  readonly link: HTMLElement;
}

async function begin(): Promise<void> {
  const main = byId('endpoints');
  try {
    const response = await fetch(DOCUMENT);
    if (!response.ok) {
      showFault(main, `${DOCUMENT} was answered ${response.status}.`);
      return;
    }
    const api = (await response.json()) as OpenApi;
    byId('version').textContent = api.info.version;
    showAll(operationsOf(api), main);
  } catch (error) {
    showFault(main, `${DOCUMENT} could not be read: ${String(error)}.`);
  }
}

function showFault(main: HTMLElement, text: string): void {
  const retry = element('button', { onclick: () => location.reload() }, 'Try again');
  main.replaceChildren(element('p', { class: 'bad' }, text), retry);
}

function showAll(operations: readonly Operation[], main: HTMLElement): void {
  const seen = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        const entry = entries.find(({ section }) => section === target);
        if (entry !== undefined) fill(entry);
      }
    },
    { rootMargin: '600px' },
  );
  const groups = [...new Set(operations.map(({ group }) => group))];
  const entries = groups.flatMap((group) =>
    operations.filter((one) => one.group === group).map(entryOf),
  );
  const navigation = byId('contents');
  main.replaceChildren();
  for (const group of groups) {
    const own = entries.filter(({ operation }) => operation.group === group);
    navigation.append(
      element('h2', {}, group),
      element('ul', {}, ...own.map(({ link }) => element('li', {}, link))),
    );
    main.append(element('h2', {}, group), ...own.map(({ section }) => section));
  }
  for (const { section } of entries) seen.observe(section);
  enableSearch(entries);
  // The place that the address names exists only now.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function entryOf(operation: Operation): Entry {
  const { id, method, path } = operation;
  const verb = () => element('span', { class: `method ${method}` }, method);
  const section = element(
    'section',
    { id, 'aria-label': `${method} ${path}` },
    element('h3', {}, verb(), element('a', { href: `#${id}` }, path)),
    element('p', {}, operation.summary),
  );
  const short = path.replace('/api/v1/', '');
  return { operation, section, link: element('a', { href: `#${id}` }, verb(), short) };
}

function fill({ operation, section }: Entry): void {
  const { access, parameters, body, answers } = operation;
  const good = answers.find(({ status }) => status < '400');
  const refusals = answers.filter(({ status }) => status >= '400');
  section.append(
    element('p', { class: 'access' }, access === null ? 'Public.' : accessText(access)),
    ...titled('Parameters', parameters.length === 0 ? null : parameterList(parameters)),
    ...titled('Body', body === null ? null : schemaView(body.content.schema ?? {}, true)),
    ...titled(
      `Answer ${good?.status ?? ''}`,
      good?.schema === undefined || good.schema === null ? null : schemaView(good.schema, false),
    ),
    element(
      'details',
      {},
      element('summary', {}, `Refusals: ${refusals.map(({ status }) => status).join(', ')}`),
      element(
        'dl',
        {},
        ...refusals.flatMap(({ status, description }) => [
          element('dt', {}, status),
          element('dd', {}, description),
        ]),
      ),
    ),
    tryIt(operation),
  );
}

function accessText({ scopes, callers, role }: NonNullable<Operation['access']>): string {
  const names: Readonly<Record<string, string>> = {
    key: 'an access key',
    domain: 'a client of one domain',
    user: 'a client of an account',
    person: 'a signed-in person',
    code: 'an access code',
  };
  const who = callers.map((kind) => names[kind] ?? kind).join(', ');
  const scope = scopes.length === 0 ? '' : ` Scope ${scopes.join(' or ')}.`;
  return `For ${who}.${scope}${role === null ? '' : ` Role ${role} or higher.`}`;
}

function parameterList(parameters: Operation['parameters']): HTMLElement {
  return element(
    'dl',
    {},
    ...parameters.flatMap(({ name, in: place, required, schema, description }) => [
      element(
        'dt',
        {},
        element('code', {}, name),
        required ? element('b', {}, 'required') : null,
        place === 'header' ? element('b', {}, 'header') : null,
      ),
      element('dd', {}, `${description} (${typeOf(schema)})`),
    ]),
  );
}

function titled(title: string, content: HTMLElement | null): HTMLElement[] {
  return content === null ? [] : [element('h4', {}, title), content];
}

function enableSearch(entries: readonly Entry[]): void {
  const input = byId('search') as HTMLInputElement;
  const count = byId('found');
  const search = (): void => {
    let found = 0;
    for (const { operation, section, link } of entries) {
      const isShown = isFound(operation, input.value);
      if (isShown) found++;
      section.hidden = !isShown;
      if (link.parentElement !== null) link.parentElement.hidden = !isShown;
    }
    count.textContent = input.value === '' ? '' : `${found} found`;
    for (const heading of document.querySelectorAll<HTMLElement>('#contents h2')) {
      const list = heading.nextElementSibling;
      heading.hidden = list?.querySelector('li:not([hidden])') === null;
    }
  };
  input.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(input|textarea)$/i.test((event.target as HTMLElement).tagName);
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  search();
}

void begin();
