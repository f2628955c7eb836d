/** Every resource there is; one that is not in this list has neither records nor endpoints. */
import type { Resource } from '../descriptor/resource.ts';
import { alternative } from './alternative.ts';
import { annotation } from './annotation.ts';
import { client } from './client.ts';
import { domain } from './domain.ts';
import { erasure } from './erasure.ts';
import { exportJob } from './export-job.ts';
import { file } from './file.ts';
import { formerDomain } from './former-domain.ts';
import { funnel } from './funnel.ts';
import { goal } from './goal.ts';
import { importJob } from './import-job.ts';
import { invitation } from './invitation.ts';
import { keywords } from './keywords.ts';
import { link } from './link.ts';
import { mail } from './mail.ts';
import { member } from './member.ts';
import { notice } from './notice.ts';
import { oneTimeLink } from './one-time-link.ts';
import { organization } from './organization.ts';
import { password } from './password.ts';
import { preference } from './preference.ts';
import { report } from './report.ts';
import { secondFactor } from './second-factor.ts';
import { session } from './session.ts';
import { snippet } from './snippet.ts';
import { theme } from './theme.ts';
import { upload } from './upload.ts';
import { user } from './user.ts';
import { view } from './view.ts';
import { webhook } from './webhook.ts';

/** Owners stand before what belongs to them. */
export const RESOURCES: readonly Resource[] = [
  ...[user, password, secondFactor, session, oneTimeLink],
  ...[file, organization, domain, member, invitation, preference],
  ...[client, link, goal, funnel, theme],
  ...[alternative, snippet, view, annotation, keywords, report, webhook],
  ...[formerDomain, erasure, notice, mail, upload, importJob],
  exportJob,
];
