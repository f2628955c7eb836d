/** The steps of a funnel: each a name and filters; they are added, removed and moved by buttons. */
import { say } from '../../words/settings.ts';
import { FiltersInput, type FilterValues } from './filters-input.tsx';

/** A step as it is sent. */
export interface Step {
  readonly name?: string;
  readonly filter: FilterValues;
}

const STEPS_MIN = 2;
const STEPS_MAX = 8;

interface Given {
  readonly value: unknown;
  readonly onInput: (value: readonly Step[]) => void;
  readonly isFaulty: boolean;
}

export function StepsInput({ value, onInput, isFaulty }: Given) {
  const steps = value as readonly Step[];
  const put = (at: number, step: Step) => onInput(steps.map((one, n) => (n === at ? step : one)));
  const move = (at: number, by: number) => {
    const moved = [...steps];
    const [step] = moved.splice(at, 1);
    moved.splice(at + by, 0, step as Step);
    onInput(moved);
  };
  return (
    <>
      <ol class="funnel-steps">
        {steps.map((step, at) => (
          // Steps have no identity of their own: their place is what they are known by.
          <li key={at}>
            <div class="funnel-step-head">
              <input
                class="input"
                aria-label={say('stepName', { number: String(at + 1) })}
                aria-invalid={isFaulty}
                placeholder={say('stepName', { number: String(at + 1) })}
                value={step.name ?? ''}
                onInput={(event) => put(at, { ...step, name: event.currentTarget.value })}
              />
              <StepButton
                sign="↑"
                label="stepUp"
                at={at}
                isOff={at === 0}
                onClick={() => move(at, -1)}
              />
              <StepButton
                sign="↓"
                label="stepDown"
                at={at}
                isOff={at === steps.length - 1}
                onClick={() => move(at, 1)}
              />
              <StepButton
                sign="✕"
                label="stepRemove"
                at={at}
                isOff={steps.length <= STEPS_MIN}
                onClick={() => onInput(steps.filter((_, n) => n !== at))}
              />
            </div>
            <FiltersInput
              value={step.filter}
              label={say('stepName', { number: String(at + 1) })}
              onInput={(filter) => put(at, { ...step, filter })}
            />
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="button"
        disabled={steps.length >= STEPS_MAX}
        onClick={() => onInput([...steps, { name: '', filter: {} }])}
      >
        {say('stepAdd')}
      </button>
    </>
  );
}

interface ButtonGiven {
  readonly sign: string;
  readonly label: 'stepUp' | 'stepDown' | 'stepRemove';
  readonly at: number;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function StepButton({ sign, label, at, isOff, onClick }: ButtonGiven) {
  return (
    <button
      type="button"
      class="button is-plain"
      aria-label={say(label, { number: String(at + 1) })}
      disabled={isOff}
      onClick={onClick}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
