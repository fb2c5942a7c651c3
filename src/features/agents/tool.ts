import { reasonFor, isForAgents, needsPress } from '../../governance/rights/policy.ts';
import { csvField, csvOrPictureField } from '../../operations/table-file.ts';
import type { Right } from '../../operations/context.ts';
import { offeredOptions } from '../../operations/fields/choice.ts';
import { kindOf, type Field } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField, type TextInput } from '../../operations/text-input.ts';
import type { AgentPlatform } from './tokens.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The JSON Schema of an object. */
interface ObjectSchema {
  [key: string]: Json;
  type: 'object';
  properties: Record<string, Record<string, Json>>;
}

/**
 * A tool as `tools/list` describes it: https://modelcontextprotocol.io/specification/2026-07-28/server/tools. A model reads the whole
 * list before each task, so what holds for all tools is in the instructions of the server, and there is no schema of the answers.
 */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  /** What may be destroyed or made twice is only asked of what changes something. */
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
  _meta: Record<string, unknown>;
}

/** In UTF-16 units; what people type has the same limit in the platform’s inputs. */
const longestArgument = 3_000;
const textsAtMost = 100;

/** The tool that an operation is. @param rights of the person; undefined where nobody is named, and then every option is listed */
export function toolOf(
  operation: Operation,
  rights: ReadonlySet<Right> | undefined,
  { toolMeta, inOwnNames }: Pick<AgentPlatform, 'toolMeta' | 'inOwnNames'>,
): Tool {
  const { name, access, isDone } = operation;
  return {
    name,
    title: titleOf(operation),
    description: inOwnNames(descriptionOf(operation)),
    inputSchema: inputSchemaOf(operation, rights, inOwnNames),
    annotations:
      access === 'read'
        ? { readOnlyHint: true, openWorldHint: false }
        : {
            readOnlyHint: false,
            destructiveHint: access === 'destructive',
            idempotentHint: isDone !== undefined,
            openWorldHint: false,
          },
    _meta: { ...toolMeta },
  };
}

export function isTool(operation: Operation): boolean {
  return (
    isForAgents(operation) && Object.values(operation.fields).every(({ kind }) => kind !== 'plan' && kind !== 'batch')
  );
}

function titleOf({ name }: Operation): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function descriptionOf(operation: Operation): string {
  const { summary, hintForAgents, access } = operation;
  return [
    `${summary}.`,
    hintForAgents,
    access === 'destructive' ? 'It can’t be undone, so it only ever asks another person for approval.' : undefined,
    needsPress(operation, {}) ? 'The person may have to press a button in a direct message first.' : undefined,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

const listKinds: ReadonlySet<Field['kind']> = new Set([
  'users',
  'flags',
  'groups',
  'assignees',
  'people',
  'audience',
  'campaigns',
  'durations',
]);

/** What forms and rows of many changes alone say. */
const withoutArgument: ReadonlySet<Field['kind']> = new Set(['columns', 'departure']);

function inputSchemaOf(
  operation: Operation,
  rights: ReadonlySet<Right> | undefined,
  inOwnNames: AgentPlatform['inOwnNames'],
): ObjectSchema {
  const entries = Object.entries(operation.fields).filter(
    ([, field]) => !withoutArgument.has(field.kind) && field !== csvField && field !== csvOrPictureField,
  );
  const properties = Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field, rights, inOwnNames)]));
  const required = entries
    .filter(([, field]) => field.optional !== true && field.shownWhen === undefined && !kindOf(field).followsFromPlace)
    .map(([name]) => name);
  const asks =
    rights === undefined ? (operation.access === 'read' ? 'none' : 'optional') : reasonFor(operation, rights);
  const reason = {
    type: 'string',
    description: 'Why, in the person’s own words. Approval needs it.',
  };
  return {
    type: 'object',
    properties: { ...properties, ...(asks !== 'none' && { [reasonField]: reason }) },
    ...(required.length > 0 && { required: [...required, ...(asks === 'required' ? [reasonField] : [])] }),
    additionalProperties: false,
  };
}

function schemaOf(
  field: Field,
  rights: ReadonlySet<Right> | undefined,
  inOwnNames: AgentPlatform['inOwnNames'],
): Record<string, Json> {
  const description = inOwnNames(
    [field.label, field.hint, formatHints[field.kind]]
      .filter((part) => part !== undefined)
      .map((part) => part.replace(/[.:]?$/, '.'))
      .join(' '),
  );
  const one: Record<string, Json> = { type: 'string', ...(field.kind === 'text' && { maxLength: field.maxLength }) };
  if (field.kind === 'choice' || field.kind === 'flags') {
    const options = (rights === undefined ? [...field.options] : offeredOptions(field.options, rights)).map(
      ({ value }) => value,
    );
    return field.kind === 'choice'
      ? { type: 'string', enum: options, description }
      : { type: 'array', items: { type: 'string', enum: options }, uniqueItems: true, description };
  }
  return listKinds.has(field.kind) ? { type: 'array', items: one, description } : { ...one, description };
}

const formatHints: Partial<Record<Field['kind'], string>> = {
  period: 'Such as since 2026-11-01, since 7d, since monday until friday, or last week',
  file: 'A mention of a channel or user group whose people to add. Files can only be chosen in the form',
  durations: 'Such as 7d or 12h',
};

/**
 * Turns the arguments of a call into the input of the operation. A model cannot confirm a warning: what is not a field of
 * the operation or the reason is refused.
 * @returns a sentence where the arguments do not fit
 */
export function inputFrom(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  { readText }: Pick<AgentPlatform, 'readText'>,
): { input: TextInput } | { problem: string; field: string } {
  const input: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(operation.fields, name) ? operation.fields[name] : undefined;
    if (field === undefined ? name !== reasonField : withoutArgument.has(field.kind))
      return { field: name.slice(0, 50), problem: 'There’s no such argument.' };
    if (value === null || value === undefined) continue;
    const texts = Array.isArray(value) ? value : [value];
    if (texts.length > textsAtMost) return { field: name, problem: `At most ${textsAtMost} at once.` };
    // A period is one text, or its two ends as the bot itself writes them.
    if (texts.length > 1 && field?.kind !== 'period' && !(field && listKinds.has(field.kind)))
      return { field: name, problem: 'Only one at a time.' };
    if (
      !texts.every((text): text is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof text))
    )
      return { field: name, problem: 'Give a text, or a list of texts.' };
    const read = texts.map((text) =>
      field?.kind === 'text' && field.isParsed !== true && field.keepsMentions !== true
        ? String(text)
        : readText(String(text)),
    );
    if (read.some((text) => text.length > longestArgument))
      return { field: name, problem: `At most ${longestArgument} characters.` };
    input[name] = read;
  }
  return { input };
}

/** The required fields that were left empty. */
export function missingFields({ fields }: Operation, input: TextInput): string[] {
  return Object.entries(fields)
    .filter(
      ([name, field]) =>
        field.optional !== true && !kindOf(field).followsFromPlace && !input[name]?.some((text) => text.trim() !== ''),
    )
    .map(([name]) => name);
}
