import { z } from 'zod';
import { actionIdOf, elementsOf } from '../interactive-elements.ts';
import { isRecord, propertyOf } from '../json.ts';
import { limits } from '../limits.ts';
import { type Block, block, type BlockType, type Surface, surfaces } from './blocks.ts';
import { characters, plainText } from './elements.ts';

export type Checked<T> = { value: T; errors?: undefined } | { value?: undefined; errors: string[] };

export interface BlockRules {
  surface: Surface;
  /** Types of blocks and inputs that the workspace rejects. */
  unknownTypes?: ReadonlySet<string>;
  /** The path of the blocks in the request, for JSON pointers. */
  root?: readonly PropertyKey[];
}

/** Validates blocks the way Slack does. */
export function checkBlocks(input: unknown, rules: BlockRules): Checked<Block[]> {
  const root = rules.root ?? ['blocks'];
  const unsupported = findUnsupportedBlocks(input, rules, root);
  if (unsupported.length > 0) return { errors: unsupported };
  const parsed = blocksOf[rules.surface].safeParse(input, { reportInput: true });
  if (!parsed.success) return { errors: validationErrors(parsed.error, root) };
  const errors = [...findDuplicateIds(parsed.data, root), ...checkWholePayload(parsed.data, root)];
  return errors.length > 0 ? { errors } : { value: parsed.data };
}

const blocksOf = {
  message: z.array(block).max(limits.messageBlocks.max),
  modal: z.array(block).max(limits.viewBlocks.max),
  home: z.array(block).max(limits.viewBlocks.max),
};

const isBlockType = (type: string): type is BlockType => Object.hasOwn(surfaces, type);

function findUnsupportedBlocks(input: unknown, rules: BlockRules, root: readonly PropertyKey[]): string[] {
  if (!Array.isArray(input)) return [validationError('must provide an array', root)];
  return input.flatMap((item: unknown, index) => {
    const type = propertyOf(item, 'type');
    if (typeof type !== 'string') return [];
    const element = propertyOf(propertyOf(item, 'element'), 'type');
    const isRejected =
      typeof element === 'string' &&
      (rules.unknownTypes?.has(element) || (element === 'file_input' && rules.surface !== 'modal'));
    if (isRejected) return [validationError(`unsupported type: ${element}`, [...root, index, 'element', 'type'])];
    const known = isBlockType(type) && surfaces[type].includes(rules.surface);
    return known && !rules.unknownTypes?.has(type)
      ? []
      : [validationError(`unsupported type: ${type}`, [...root, index, 'type'])];
  });
}

function findDuplicateIds(blocks: Block[], root: readonly PropertyKey[]): string[] {
  const ids = new Set<string>();
  const errors: string[] = [];
  for (const [index, item] of blocks.entries()) {
    if (item.block_id !== undefined && ids.has(item.block_id))
      errors.push(validationError(`block_id already exists: ${item.block_id}`, [...root, index, 'block_id']));
    if (item.block_id !== undefined) ids.add(item.block_id);
    const actionIds = elementsOf(item)
      .map(actionIdOf)
      .filter((id) => id !== '');
    for (const id of new Set(actionIds.filter((actionId, at) => actionIds.indexOf(actionId) !== at)))
      errors.push(validationError(`action_id already exists in this block: ${id}`, [...root, index]));
  }
  return errors;
}

/** The limits of a message as a whole. */
function checkWholePayload(blocks: Block[], root: readonly PropertyKey[]): string[] {
  const errors: string[] = [];
  if (blocks.filter(({ type }) => type === 'data_visualization').length > limits.chartsPerMessage.max)
    errors.push(validationError(`no more than ${limits.chartsPerMessage.max} data_visualization blocks allowed`, root));
  const cells = blocks.flatMap((item) => (item.type === 'data_table' ? item.rows.flat() : []));
  if (cells.reduce((sum, cell) => sum + cell.text.length, 0) > limits.dataTableCharacters.max)
    errors.push(
      validationError(
        `all data_table cells together must be less than ${limits.dataTableCharacters.max + 1} characters`,
        root,
      ),
    );
  return errors;
}

/**
 * What Slack counts of a message: its texts, and 125 for each block. The figures follow from two measured limits,
 * 13,297 characters in one markdown block and 13,172 with a divider: https://github.com/slackapi/bolt-js/issues/2509.
 */
export const messageSize = (blocks: readonly Block[]): number => countTexts(blocks) + 125 * blocks.length;

function countTexts(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countTexts(item), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + (key === 'text' && typeof item === 'string' ? item.length : countTexts(item)),
    0,
  );
}

/** Gives a generated id to each block and element that has none, as Slack does. */
export function identify(blocks: Block[], newId: () => string): Block[] {
  const copies = structuredClone(blocks);
  for (const copy of copies) {
    copy.block_id ??= newId();
    for (const element of elementsOf(copy)) element.action_id ??= newId();
  }
  return copies;
}

const common = {
  callback_id: characters(limits.viewCallbackId).optional(),
  private_metadata: characters(limits.viewPrivateMetadata).optional(),
  blocks: z.unknown(),
};

const viewPayload = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: plainText(limits.viewTitle),
    submit: plainText(limits.viewSubmit).optional(),
    close: plainText(limits.viewClose).optional(),
  }),
  z.strictObject({ type: z.literal('home'), ...common }),
]);

export type ViewPayload = z.infer<typeof viewPayload> & { blocks: Block[] };

/** Validates the `view` argument of views.* or of a response action. */
export function checkView(input: unknown, rules: Pick<BlockRules, 'unknownTypes'> = {}): Checked<ViewPayload> {
  const parsed = viewPayload.safeParse(input, { reportInput: true });
  const errors = parsed.success ? [] : validationErrors(parsed.error, ['view']);
  const surface = propertyOf(input, 'type') === 'home' ? 'home' : 'modal';
  const blocks = checkBlocks(propertyOf(input, 'blocks'), { ...rules, surface, root: ['view', 'blocks'] });
  errors.push(...(blocks.errors ?? []));
  if (!parsed.success || blocks.errors !== undefined) return { errors };
  const value: ViewPayload = { ...parsed.data, blocks: blocks.value };
  const unsubmittable =
    value.type === 'modal' && value.submit === undefined ? value.blocks.findIndex(({ type }) => type === 'input') : -1;
  if (unsubmittable >= 0) {
    const path = ['view', 'blocks', unsubmittable, 'input'];
    return { errors: [validationError('must define `submit` to use an `input` block in modals', path)] };
  }
  return { value };
}

type Issue = z.core.$ZodIssue;

/** Describes the errors in the wording of Slack's `response_metadata.messages`, without the leading `[ERROR] `. */
function validationErrors(error: z.ZodError, root: readonly PropertyKey[]): string[] {
  return error.issues.flatMap((issue) => describe(issue, root));
}

/** Formats an error with its JSON pointer, as Slack does. */
function validationError(message: string, path: readonly PropertyKey[]): string {
  return `${message} [json-pointer:/${path.map(String).join('/')}]`;
}

function describe(issue: Issue, root: readonly PropertyKey[]): string[] {
  const path = [...root, ...issue.path];
  switch (issue.code) {
    case 'too_big':
      return [
        validationError(
          issue.origin === 'string'
            ? `must be less than ${Number(issue.maximum) + 1} characters`
            : tooMuch(issue.origin, issue.maximum),
          path,
        ),
      ];
    case 'too_small':
      return [
        validationError(
          issue.origin === 'string'
            ? `must be more than ${Number(issue.minimum) - 1} characters`
            : tooLittle(issue.origin, issue.minimum, issue.message),
          path,
        ),
      ];
    case 'unrecognized_keys':
      return issue.keys.map((key) => validationError(`invalid additional property: ${key}`, path));
    case 'invalid_type':
      return [
        issue.input === undefined && issue.message.endsWith('undefined')
          ? validationError(`missing required field: ${String(path.at(-1))}`, path.slice(0, -1))
          : validationError(`must provide ${article(issue.expected)}`, path),
      ];
    case 'invalid_union':
      return issue.discriminator === undefined
        ? [validationError('failed to match all allowed schemas', path)]
        : [validationError(unsupportedType(issue), path)];
    case 'invalid_value':
      return [validationError('must be a valid enum value', path)];
    default:
      return [validationError(issue.message, path)];
  }
}

function unsupportedType(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const given = propertyOf(issue.input, issue.discriminator ?? 'type');
  return given === undefined
    ? 'missing required field: type'
    : `unsupported type: ${typeof given === 'string' ? given : JSON.stringify(given)}`;
}

const tooMuch = (origin: string, maximum: number | bigint): string =>
  origin === 'array' ? `no more than ${maximum} items allowed` : `must be at most ${maximum}`;

const tooLittle = (origin: string, minimum: number | bigint, message: string): string => {
  if (origin === 'array') return `must provide at least ${minimum} items`;
  return message.startsWith('must ') ? message : `must be at least ${minimum}`;
};

const article = (expected: string): string => (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
