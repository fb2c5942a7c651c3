import { catalog } from '../../src/operations/catalog.ts';
import type { Field } from '../../src/operations/fields/fields.ts';

/** How the values of a field travel in a form, a button and a command line. */
export type FieldKind = Field['kind'] | 'response';

interface OperationShape {
  /** The command, with fields in braces. */
  line: string;
  fields: Readonly<Record<string, FieldKind>>;
  /** It changes nothing of the account. */
  isRead: boolean;
}

/** What an operation is given, except a subscription: records by handle in a step, by id in what the judge reads. */
export interface OperationInput {
  operation: string;
  quiz?: string;
  user?: string;
  group?: string;
  response?: string;
  /** A channel to subscribe. */
  channel?: string;
  /** Users and groups. */
  assignees?: readonly string[];
  /** The other values of the form, by field. */
  values?: Readonly<Record<string, readonly string[]>>;
}

/** The lines of commands whose help shows a filter or an example in place of fields. */
const lines: Readonly<Record<string, string>> = {
  'list-quizzes': '/quiz list {name}',
  'show-results': '/quiz results {quiz} {user} {person}',
  'show-questions': '/quiz questions {quiz} {user} {person}',
  'all-results': '/quiz all-results {user} {person}',
  'export-results': '/quiz export {quiz} {group} {person}',
  'list-users': '/quiz-user list {name}',
  'create-user': '/quiz-user create {user_name} Kim March {user_type}',
  'import-users': '/quiz-user import from {file}',
  'update-user': '/quiz-user update {user}',
  'subscribe-channel': '/quiz-alerts subscribe {channel} {quiz} {delivery}',
  'pause-alerts': '/quiz-alerts pause {subscription}',
  'set-channel-language': '/quiz-alerts language {language} {channel}',
  'start-campaign': '/quiz-campaign start {quiz} for {to} due {due}',
  'require-quiz': '/quiz-campaign require {quiz} for {to} within {within}',
  'show-matrix': '/quiz-campaign matrix {people}',
  'show-year': '/quiz-campaign year {people}',
  'change-campaign': '/quiz-campaign change {campaign} remind {remind}',
  'excuse-campaign': '/quiz-campaign excuse {campaign} {people} because {because}',
  'send-evidence': '/quiz-campaign evidence {campaign}',
};

/** Fields that a step fills otherwise than the others of their kind. */
const kinds: Readonly<Record<string, FieldKind>> = { response: 'response', lead: 'user' };

/** Every operation as people reach it. */
export const operations: Readonly<Record<string, OperationShape>> = Object.fromEntries(
  catalog.map(({ name, command, access, fields }) => [
    name,
    {
      line: lines[name] ?? command.replaceAll(/[<[](\w+)[\]>]/g, '{$1}'),
      fields: Object.fromEntries(Object.entries(fields).map(([field, { kind }]) => [field, kinds[field] ?? kind])),
      isRead: access === 'read' || access === 'own' || name === 'test-alerts',
    },
  ]),
);

export const reads = Object.keys(operations).filter((name) => operations[name]?.isRead);
export const writes = Object.keys(operations).filter((name) => !operations[name]?.isRead);
