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
import {
  type CallOddity,
  type Fields,
  inZone,
  isDateText,
  isFields,
  type Oddity,
  type RecordOddity,
  type Resource,
  type WebhookOddity,
} from './changes.ts';
import { groupOddities, questionOddities, quizOddities, responseOddities, userOddities } from './records.ts';
import { bodyForms, otherEvents, signatureForms, timestampForms } from './webhooks.ts';

export const recordOddities: readonly RecordOddity[] = [
  ...quizOddities,
  ...groupOddities,
  ...userOddities,
  ...responseOddities,
  ...questionOddities,
];

const accountZone: CallOddity = {
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

/** The time zone in which the rough account writes its dates: the public help names Mountain Time as the default. */
const roughTimeZone = 'America/Denver';

export interface RoughOptions {
  /** Decides which records and calls are odd. */
  seed?: number | undefined;
  /** One in this many records is odd. 1: every record that fits. Default: 8. */
  oneIn?: number | undefined;
  /** The names of the oddities that occur. Default: all. */
  oddities?: readonly string[] | undefined;
}

/**
 * With this seed, the users, quizzes and groups of the smooth account are not odd themselves, so that scenarios can
 * name them on both faces. A test checks it; after a change of the catalog it may ask for another seed.
 */
const defaultSeed = 20_260_545;

export type RoughAccount = ReturnType<typeof createRoughAccount>;

/** What the face and the sample data of the rough account share. @throws RangeError when there is no oddity of a name */
export function createRoughAccount(options: RoughOptions = {}) {
  const { seed = defaultSeed, oneIn = 8 } = options;
  const known = new Set(oddities.map(({ name }) => name));
  const names = new Set(options.oddities ?? known);
  for (const name of names) if (!known.has(name)) throw new RangeError(`There is no oddity ${name}.`);
  const has = ({ name }: Oddity) => names.has(name);
  const timeZone = has(accountZone) ? roughTimeZone : 'UTC';
  const dealer = createDealer({ seed, oneIn });
  return {
    seed,
    dealer,
    records: createOddRecords(recordOddities.filter(has), dealer, timeZone),
    /** Whether an oddity occurs. */
    has,
    timeZone,
    /** The scheme of configured webhooks that name none. */
    webhookScheme: names.has('signature-plain-sha256') ? ('timestamp-secret' as const) : ('body' as const),
    /** Rewrites a date of the service in the zone of the account. */
    dateText: (utcText: string) => (isDateText(utcText) ? inZone(utcText, timeZone) : utcText),
  };
}

/** An assigned quiz has no id of its own. */
export function assignmentKey(userId: string, quizId: string): string {
  return `${userId} ${quizId}`;
}

const idFields: Partial<Record<Resource, string>> = {
  quiz: 'quiz_id',
  group: 'group_id',
  user: 'user_id',
  response: 'response_id',
  question: 'question_id',
  option: 'option_id',
};

const dateFields = ['date_created', 'date_submitted', 'date_assigned'];

/**
 * Changes records as the oddities require. A record is odd in the same way in every answer and webhook.
 * @param zone the time zone in which the account writes its dates
 */
function createOddRecords(occurring: readonly RecordOddity[], dealer: Dealer, zone: string) {
  const withReach = (reach: RecordOddity['reach']) =>
    Map.groupBy(
      occurring.filter((oddity) => oddity.reach === reach),
      ({ resource }) => resource,
    );
  const [dealtOddities, generalOddities] = [withReach('dealt'), withReach('all')];

  /** The oddity that is dealt to records with this key, whether or not they fit. The key is the id, or `assignmentKey`. */
  function dealt(resource: Resource, key: string): RecordOddity | undefined {
    const candidates = dealtOddities.get(resource);
    return candidates && dealer.deal(candidates, key);
  }

  /** @param ownerId the user of an assigned quiz */
  function outgoing(resource: Resource, record: unknown, ownerId = ''): unknown {
    if (!isFields(record)) return record;
    const changed = withChanges(resource, record, ownerId);
    return isFields(changed) ? inAccountZone(withNestedRecords(resource, changed, String(record['user_id']))) : changed;
  }

  function withChanges(resource: Resource, record: Fields, ownerId = ''): unknown {
    const idField = idFields[resource];
    const key = idField === undefined ? assignmentKey(ownerId, String(record['quiz_id'])) : String(record[idField]);
    const oddity = dealt(resource, key);
    const fitting = [...(generalOddities.get(resource) ?? []), ...(oddity ? [oddity] : [])].filter(({ fits }) =>
      fits(record),
    );
    return fitting.reduce((sent: unknown, { change }) => (isFields(sent) ? change(sent, zone) : sent), record);
  }

  function withNestedRecords(resource: Resource, record: Fields, userId: string): Fields {
    const { quizzes, options } = record;
    if (resource === 'user' && Array.isArray(quizzes))
      return { ...record, quizzes: quizzes.map((item) => assignedQuiz(item, userId)) };
    if (resource === 'question' && Array.isArray(options)) {
      return { ...record, options: options.map((option) => outgoing('option', option)) };
    }
    return record;
  }

  /** In the single user, an assigned quiz has fields of a response, and they are odd where the response is. */
  function assignedQuiz(item: unknown, userId: string): unknown {
    if (!isFields(item)) return item;
    const response = typeof item['response_id'] === 'string' ? withChanges('response', item) : item;
    const result = isFields(response)
      ? Object.fromEntries(Object.keys(item).map((field) => [field, response[field]]))
      : item;
    const { quiz_id, response_id } = item;
    return outgoing('assigned_quiz', { ...result, quiz_id, ...(response_id !== undefined && { response_id }) }, userId);
  }

  function inAccountZone(record: Fields): Fields {
    if (zone === 'UTC') return record;
    const dates = dateFields
      .filter((field) => isDateText(record[field]))
      .map((field) => [field, inZone(String(record[field]), zone)] as const);
    return { ...record, ...Object.fromEntries(dates) };
  }

  return { outgoing, dealt };
}

type Dealer = ReturnType<typeof createDealer>;

const hashRange = 2 ** 32;

/**
 * Decides by hash, so that the same record or call has the same oddity every time.
 * @param oneIn one in this many records is odd. 1: all of them
 */
function createDealer({ seed, oneIn }: { seed: number; oneIn: number }) {
  /** By list, because a list is dealt from for every record of an account. */
  const salts = new WeakMap<readonly { name: string }[], number[]>();

  function saltsOf(candidates: readonly { name: string }[]): number[] {
    let found = salts.get(candidates);
    if (!found) salts.set(candidates, (found = candidates.map(({ name }) => hash(`${seed} ${name}`))));
    return found;
  }

  return {
    /**
     * Deals an oddity to a share of the keys, and each oddity to as many keys. Each oddity decides on its own, so that one more in the table moves few of the others: scenarios that
     * rely on a record keep it.
     */
    deal<Item extends { name: string }>(candidates: readonly Item[], key: string): Item | undefined {
      const keyHash = hash(key);
      const limit = hashRange / (oneIn * candidates.length);
      return candidates[saltsOf(candidates).findIndex((salt) => mix(keyHash ^ salt) < limit)];
    },
    /** Selects one of the forms of an answer, or undefined for the smooth form. Each is as likely. */
    select<Item>(forms: readonly Item[], key: string): Item | undefined {
      const smoothForms = oneIn === 1 ? 0 : 1;
      return forms[mix(hash(`${seed} ${key}`)) % (forms.length + smoothForms)];
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** The finalizer of MurmurHash3, because FNV-1a mixes the last characters badly. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
