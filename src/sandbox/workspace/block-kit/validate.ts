import { z } from 'zod';
import { actionIdOf, elementsOf } from '../interactive-elements.ts';
import { isRecord, propertyOf } from '../json.ts';
import { limits } from '../limits.ts';
import { cellText } from '../plain-text.ts';
import { type Block, block, type BlockType, type Surface, surfaces } from './blocks.ts';
import type { InteractiveElement } from './elements.ts';
import { validationError, validationErrors } from './validation-errors.ts';
import type { Cell } from './tables.ts';

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
  const parsed = schemaFor(rules.surface).safeParse(input, { reportInput: true });
  if (!parsed.success) return { errors: validationErrors(parsed.error, root) };
  const errors = [...findDuplicateIds(parsed.data, root), ...checkWholePayload(parsed.data, root)];
  return errors.length > 0 ? { errors } : { value: parsed.data };
}

const message = z.array(block).max(limits.messageBlocks.max);
const view = z.array(block).max(limits.viewBlocks.max);
const schemaFor = (surface: Surface) => (surface === 'message' ? message : view);

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

function checkWholePayload(blocks: Block[], root: readonly PropertyKey[]): string[] {
  const errors: string[] = [];
  const total = (type: BlockType, count: (item: Block) => number): number =>
    blocks.filter((item) => item.type === type).reduce((sum, item) => sum + count(item), 0);
  if (total('data_visualization', () => 1) > limits.chartsPerMessage.max)
    errors.push(validationError(`no more than ${limits.chartsPerMessage.max} data_visualization blocks allowed`, root));
  if (total('markdown', (item) => (item.type === 'markdown' ? item.text.length : 0)) > limits.markdownText.max)
    errors.push(
      validationError(`all markdown blocks together must be less than ${limits.markdownText.max + 1} characters`, root),
    );
  const tables = blocks.filter((item) => item.type === 'table');
  if (countCharacters(tables.flatMap(({ rows }) => rows)) > limits.tableCharacters.max)
    errors.push(
      validationError(`all table cells together must be less than ${limits.tableCharacters.max + 1} characters`, root),
    );
  const dataTables = blocks.filter((item) => item.type === 'data_table');
  if (countCharacters(dataTables.flatMap(({ rows }) => rows)) > limits.dataTableCharacters.max)
    errors.push(
      validationError(
        `all data_table cells together must be less than ${limits.dataTableCharacters.max + 1} characters`,
        root,
      ),
    );
  if (blocks.flatMap(elementsOf).filter(wantsFocus).length > 1)
    errors.push(validationError('only one element may set `focus_on_load`', root));
  return errors;
}

/** The total length of all cells. Slack limits it per message. */
const countCharacters = (rows: Cell[][]): number => rows.flat().reduce((sum, cell) => sum + cellText(cell).length, 0);

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

const wantsFocus = (element: InteractiveElement): boolean =>
  'focus_on_load' in element && element.focus_on_load === true;

/** Gives a generated id to each block and element that has none, as Slack does. */
export function identify(blocks: Block[], newId: () => string): Block[] {
  const copies = structuredClone(blocks);
  for (const copy of copies) {
    copy.block_id ??= newId();
    for (const element of elementsOf(copy)) if (element.type !== 'image') element.action_id ??= newId();
  }
  return copies;
}
