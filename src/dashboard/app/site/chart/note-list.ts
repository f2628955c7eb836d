/** The annotations of a site (D-19). */
import { type ReadonlySignal, signal } from '@preact/signals';
import { type AnswerOf, call } from '../../data/api.ts';

export type Note = AnswerOf<'GET /api/v1/annotation'>[number];

/** What a dialog is open for: the notes of one point, or none of them: a new one. */
export interface NotesAsked {
  readonly notes: readonly Note[];
  readonly label: string;
}

/** Read once; each change is answered before it is shown. */
export class NoteList {
  readonly #domainId: string;
  readonly #notes = signal<readonly Note[]>([]);
  #isLoaded = false;
  #isAsking = false;

  constructor(domainId: string) {
    this.#domainId = domainId;
  }

  /** In order of time. */
  get notes(): ReadonlySignal<readonly Note[]> {
    return this.#notes;
  }

  /** Reads them unless that has been done; what failed is tried with the next answer of the page. */
  async load(): Promise<void> {
    if (this.#isLoaded || this.#isAsking) return;
    this.#isAsking = true;
    try {
      const notes = await call('GET /api/v1/annotation', { domain_id: this.#domainId });
      this.#isLoaded = true;
      this.#show(notes);
    } catch {
      // The chart is whole without them.
    } finally {
      this.#isAsking = false;
    }
  }

  /** @throws ApiError. */
  async save(id: string | null, time: string, text: string): Promise<void> {
    const note =
      id === null
        ? await call('POST /api/v1/annotation', {}, { domain_id: this.#domainId, time, text })
        : await call('PUT /api/v1/annotation', {}, { id, time, text });
    this.#show([...this.#notes.value.filter((one) => one.id !== note.id), note]);
  }

  /** @throws ApiError. */
  async remove(id: string): Promise<void> {
    await call('DELETE /api/v1/annotation', { id });
    this.#show(this.#notes.value.filter((note) => note.id !== id));
  }

  #show(notes: readonly Note[]): void {
    this.#notes.value = notes.toSorted((left, right) => (left.time < right.time ? -1 : 1));
  }
}
