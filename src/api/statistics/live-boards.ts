/**
 * Who is active now, for the streams of an edge (O-50): asked once for all that ask the same, again
 * when hits came, and now and then because people leave without a word.
 *
 * Control plane. Nobody is asked while nobody is active and nothing comes. However many boards there
 * are, an edge asks no more than so many times a second.
 */
import { monotonicMs } from '../../base/clock.ts';
import { LIVE_PAGE_COUNT_MAX, SECOND_MS } from '../../model/limits.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { Ports, QueryCaller } from '../ports.ts';

/** From one question to the next of a board, at least. */
const ASK_MS = SECOND_MS;
/** Of one whose visitors may have left: as many boards share this many questions a second. */
const ASKS_PER_SECOND = 100;

/** Nobody leaves before its answer: it is for whoever listens then. */
const NO_CALLER: QueryCaller = { onLeft: () => undefined };

type Listener = (active: string) => void;

interface Board {
  readonly query: StatisticsQuery;
  readonly listeners: Set<Listener>;
  readonly unwatch: () => void;
  /** What was told last; '' before the first answer. */
  told: string;
  hasVisitors: boolean;
  /** Hits came since it was asked. */
  isStale: boolean;
  isAsking: boolean;
  askedMs: number;
}

/** The boards of one edge. */
export class LiveBoards {
  readonly #ports: Pick<Ports, 'statistics' | 'live'>;
  readonly #boards = new Map<string, Board>();
  #timer: NodeJS.Timeout | null = null;

  constructor(ports: Pick<Ports, 'statistics' | 'live'>) {
    this.#ports = ports;
  }

  /** Tells who is active, at once and whenever it changes. @returns takes it back. */
  listen(query: StatisticsQuery, listener: Listener): () => void {
    const key = keyOf(query);
    const board = this.#boards.get(key) ?? this.#open(key, query);
    board.listeners.add(listener);
    if (board.told !== '') listener(board.told);
    return () => {
      board.listeners.delete(listener);
      if (board.listeners.size > 0 || this.#boards.get(key) !== board) return;
      this.#boards.delete(key);
      board.unwatch();
      if (this.#boards.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #open(key: string, query: StatisticsQuery): Board {
    const board: Board = {
      ...{ query, listeners: new Set(), told: '', hasVisitors: false },
      ...{ isStale: true, isAsking: false, askedMs: 0 },
      unwatch: this.#ports.live.watch(query.domainId, () => {
        board.isStale = true;
        this.#askIfDue(board);
      }),
    };
    this.#boards.set(key, board);
    void this.#ask(board);
    this.#timer ??= setInterval(() => this.#look(), ASK_MS);
    return board;
  }

  #look(): void {
    for (const board of this.#boards.values()) this.#askIfDue(board);
  }

  #askIfDue(board: Board): void {
    const restMs = Math.max(ASK_MS, (this.#boards.size * SECOND_MS) / ASKS_PER_SECOND);
    const sinceMs = monotonicMs() - board.askedMs;
    const isDue = board.isStale ? sinceMs >= ASK_MS : board.hasVisitors && sinceMs >= restMs;
    if (isDue && !board.isAsking) void this.#ask(board);
  }

  async #ask(board: Board): Promise<void> {
    board.isAsking = true;
    board.isStale = false;
    board.askedMs = monotonicMs();
    try {
      const bytes = await this.#ports.statistics.run(board.query, NO_CALLER);
      const { visitors, stats } = JSON.parse(Buffer.from(bytes).toString()) as ActiveAnswer;
      board.hasVisitors = visitors > 0;
      this.#tell(board, JSON.stringify({ visitors, stats: stats.slice(0, LIVE_PAGE_COUNT_MAX) }));
    } catch {
      // A service that is busy, or whose shard moves, is asked again a little later.
      board.isStale = true;
    }
    board.isAsking = false;
  }

  #tell(board: Board, active: string): void {
    if (board.told === active) return;
    board.told = active;
    for (const listener of [...board.listeners]) listener(active);
  }
}

interface ActiveAnswer {
  readonly visitors: number;
  readonly stats: readonly unknown[];
}

/** The instants of the window move with each question, and are the actor's. */
function keyOf({ range, ...query }: StatisticsQuery): string {
  return JSON.stringify([range.endMs - range.startMs, query]);
}
