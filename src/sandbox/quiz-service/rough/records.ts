import type { Dealer } from './dealer.ts';
import { inZone, isDateText } from './dates.ts';
import { type Fields, isFields, type RecordOddity, type Resource } from './oddity.ts';

/** Changes records as the oddities require. A record is odd in the same way in every answer and webhook. */
export interface OddRecords {
  /** @param ownerId the user of an assigned quiz */
  outgoing: (resource: Resource, record: unknown, ownerId?: string) => unknown;
  /**
   * The oddity that is dealt to records with this key, whether or not they fit. The key is the id, or `assignmentKey`.
   */
  dealt: (resource: Resource, key: string) => RecordOddity | undefined;
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

/** @param zone the time zone in which the account writes its dates */
export function createOddRecords(oddities: readonly RecordOddity[], dealer: Dealer, zone: string): OddRecords {
  const withReach = (reach: RecordOddity['reach']) =>
    Map.groupBy(
      oddities.filter((oddity) => oddity.reach === reach),
      ({ resource }) => resource,
    );
  const [dealtOddities, generalOddities] = [withReach('dealt'), withReach('all')];

  function dealt(resource: Resource, key: string): RecordOddity | undefined {
    const candidates = dealtOddities.get(resource);
    return candidates && dealer.deal(candidates, key);
  }

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
