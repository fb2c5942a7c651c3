import type { CheckMeaning } from '../domain/finding.ts';
import { say } from '../domain/said.ts';

const readTheLog = say`Ask the person who runs the bot to read its log.`;
const lookAgainLater = 'read the log of the bot, and try again in a minute';

export const storeMeaning: CheckMeaning = {
  name: 'store',
  topic: 'Store',
  well: 'the store can be used',
  gauge: { name: 'invigilator_store_usable', help: 'Whether the store can be read and written: 1, or 0' },
  unclear: {
    effect: 'stops',
    problem: 'the store cannot be used',
    remedy: 'check that it runs, that it has room, and that the bot may write to it',
    forAdministrators: { headline: say`The bot can’t use its database`, advice: readTheLog },
  },
};

export const contentMeaning: CheckMeaning = {
  name: 'storeContent',
  topic: 'Store',
  well: 'the store has the content that the bot knew',
  gauge: {
    name: 'invigilator_store_whole',
    help: 'Whether the store has the content that this instance knew: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'the content of the store was not checked',
    remedy: lookAgainLater,
    forAdministrators: { headline: say`The content of the bot’s database wasn’t checked`, advice: readTheLog },
  },
  isWatched: true,
};

export const ownerMeaning: CheckMeaning = {
  name: 'storeOwner',
  topic: 'Store',
  well: 'the store belongs to this workspace and quiz account',
  gauge: {
    name: 'invigilator_store_own',
    help: 'Whether the store belongs to this workspace and quiz account: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'whether the store belongs to this workspace and quiz account was not checked',
    remedy: lookAgainLater,
    forAdministrators: { headline: say`The owner of the bot’s database wasn’t checked`, advice: readTheLog },
  },
  isWatched: true,
};

export const trailMeaning: CheckMeaning = {
  name: 'auditTrail',
  topic: 'Store',
  well: 'the audit trail has every entry that was known',
  gauge: {
    name: 'invigilator_audit_trail_whole',
    help: 'Whether the audit trail has every entry that was known: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'the audit trail was not checked',
    remedy: lookAgainLater,
    forAdministrators: { headline: say`The audit trail wasn’t checked`, advice: readTheLog },
  },
  isWatched: true,
};
