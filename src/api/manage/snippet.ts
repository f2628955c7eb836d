/** GET and POST /api/v1/domain/snippet: the script's settings and the tag to paste (M-22). */
import { string } from '../../base/schema.ts';
import { sentSchema } from '../../control/descriptor/draft.ts';
import { timesOf, toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { domain } from '../../control/resources/domain.ts';
import { READ_SETTINGS, WRITE_DOMAINS } from '../../control/resources/permissions.ts';
import {
  SNIPPET_TYPES,
  type Snippet,
  snippet,
  snippetKey,
} from '../../control/resources/snippet.ts';
import { type SnippetSettings, snippetTag } from '../../control/snippet-tag.ts';
import { snippetChange } from '../../control/snippets.ts';
import { errors } from '../../model/errors.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, READS, required } from '../presets.ts';
import { checkRole, requiredValue, viewingOf } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';
import { describedSent } from './described.ts';
