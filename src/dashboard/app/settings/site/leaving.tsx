/** A member goes by itself: a Viewer, too, who is shown no list of members (M-31). */
import { ApiError, call } from '../../data/api.ts';
import { go } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;

export function Leaving({ domain }: SitePlace) {
  const leave = async () => {
    try {
      await call('DELETE /api/v1/member', { domain_id: domain.id });
    } catch (error) {
      const isElsewhere = error instanceof ApiError && error.status === NOT_FOUND;
      throw isElsewhere ? new ApiError(CONFLICT, say('leavingElsewhere')) : error;
    }
    go('/');
  };
  return (
    <section class="settings-part">
      <PartHead title={say('leaving')} hint={say('leavingHint', { hostname: domain.hostname })} />
      <RecordForm fields={[]} values={{}} submitWord="leave" isDanger onSubmit={leave} />
    </section>
  );
}
