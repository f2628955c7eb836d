/** A member goes by itself: a Viewer, too, who is shown no list of members (M-31). */
import { ApiError, call } from '../../data/api.ts';
import { go } from '../../view/view.ts';
import { say } from '../../words/settings.ts';
import { RecordForm } from '../forms/record-form.tsx';
import { PartHead } from '../part-head.tsx';
import type { SitePlace } from '../place.ts';

const CONFLICT = 409;

export function Leaving({ domain }: SitePlace) {
  const leave = async () => {
    try {
      await call('DELETE /api/v1/member', { domain_id: domain.id });
    } catch (error) {
      // They are no member of the site itself.
      const isElsewhere = error instanceof ApiError && 'domain_id' in error.validation;
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
