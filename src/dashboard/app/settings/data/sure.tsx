/** Asks once more before something goes. */
import { Dialog } from '../../parts/dialog.tsx';
import type { SayKey } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';

interface Given {
  readonly title: string;
  readonly hint: string;
  readonly submitWord: SayKey;
  /** Closes it as well, where nothing goes wrong. */
  readonly onSure: () => Promise<void>;
  readonly onClose: () => void;
}

export function Sure({ title, hint, submitWord, onSure, onClose }: Given) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <RecordForm
        fields={[]}
        values={{}}
        submitWord={submitWord}
        isDanger
        onSubmit={async () => {
          await onSure();
          onClose();
        }}
      />
    </Dialog>
  );
}
