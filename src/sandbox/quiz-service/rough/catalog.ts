import {
  errorForms,
  interceptions,
  listForms,
  nobodyForms,
  numericFoundId,
  recordForms,
  refusals,
  submittedLater,
  writeForms,
} from './calls.ts';
import type { CallOddity, Oddity, RecordOddity, WebhookOddity } from './changes.ts';
import { groupOddities, questionOddities, quizOddities, responseOddities, userOddities } from './records.ts';
import { bodyForms, otherEvents, signatureForms, timestampForms } from './webhooks.ts';

export const recordOddities: readonly RecordOddity[] = [
  ...quizOddities,
  ...groupOddities,
  ...userOddities,
  ...responseOddities,
  ...questionOddities,
];

export const accountZone: CallOddity = {
  name: 'account-zone',
  where: 'Every date',
  what: 'in the zone of the account, `America/Denver`, instead of UTC',
  source: 'help',
  // Recognizes noon in UTC, at which the sample quizzes are created if the account is.
  shows: ({ text }) => / 0[56]:00:00"/.test(text),
};

export const callOddities: readonly CallOddity[] = [
  accountZone,
  ...listForms,
  ...recordForms,
  ...writeForms,
  ...errorForms,
  ...refusals,
  ...nobodyForms,
  numericFoundId,
  submittedLater,
  ...interceptions,
];

export const webhookOddities: readonly WebhookOddity[] = [
  ...signatureForms,
  ...timestampForms,
  ...bodyForms,
  ...otherEvents,
];

/** Every oddity of the rough account. The README lists them. */
export const oddities: readonly Oddity[] = [...recordOddities, ...callOddities, ...webhookOddities];
