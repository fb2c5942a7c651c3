import { z } from 'zod';
import { actionIdOf, elementsOf } from '../interactive-elements.ts';
import { propertyOf } from '../json.ts';
import { limits } from '../limits.ts';
import { cellText } from '../plain-text.ts';
import { type Block, block, type BlockType, type Surface, surfaces } from './blocks.ts';
import type { InteractiveElement } from './elements.ts';
import { validationError, validationErrors } from './validation-errors.ts';
import type { Cell } from './tables.ts';

export type Checked<T> = { value: T; errors?: undefined } | { value?: undefined; errors: string[] };

export interface BlockRules {
  surface: Surface;
  /** Block types that this workspace is too old to know. */
  unknownTypes?: ReadonlySet<string>;
  /** Where the blocks stand in the request, for json pointers. */
  root?: readonly PropertyKey[];
}

/** Checks blocks as Slack does. */
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
  return input.flatMap((one: unknown, index) => {
    const type = propertyOf(one, 'type');
    if (typeof type !== 'string') return [];
    const known = isBlockType(type) && surfaces[type].includes(rules.surface);
    return known && !rules.unknownTypes?.has(type)
      ? []
      : [validationError(`unsupported type: ${type}`, [...root, index, 'type'])];
  });
}

function findDuplicateIds(blocks: Block[], root: readonly PropertyKey[]): string[] {
  const ids = new Set<string>();
  const errors: string[] = [];
  for (const [index, one] of blocks.entries()) {
    if (one.block_id !== undefined && ids.has(one.block_id))
      errors.push(validationError(`block_id already exists: ${one.block_id}`, [...root, index, 'block_id']));
    if (one.block_id !== undefined) ids.add(one.block_id);
    const actionIds = elementsOf(one).map(actionIdOf).filter((id) => id !== '');
    for (const id of new Set(actionIds.filter((actionId, at) => actionIds.indexOf(actionId) !== at)))
      errors.push(validationError(`action_id already exists in this block: ${id}`, [...root, index]));
  }
  return errors;
}

function checkWholePayload(blocks: Block[], root: readonly PropertyKey[]): string[] {
  const errors: string[] = [];
  const total = (type: BlockType, count: (one: Block) => number): number =>
    blocks.filter((one) => one.type === type).reduce((sum, one) => sum + count(one), 0);
  if (total('data_visualization', () => 1) > limits.chartsPerMessage.max)
    errors.push(validationError(`no more than ${limits.chartsPerMessage.max} data_visualization blocks allowed`, root));
  if (total('markdown', (one) => (one.type === 'markdown' ? one.text.length : 0)) > limits.markdownText.max)
    errors.push(
      validationError(`all markdown blocks together must be less than ${limits.markdownText.max + 1} characters`, root),
    );
  const tables = blocks.filter((one) => one.type === 'table');
  if (countCharacters(tables.flatMap((one) => one.rows)) > limits.tableCharacters.max)
    errors.push(
      validationError(`all table cells together must be less than ${limits.tableCharacters.max + 1} characters`, root),
    );
  const dataTables = blocks.filter((one) => one.type === 'data_table');
  if (countCharacters(dataTables.flatMap((one) => one.rows)) > limits.dataTableCharacters.max)
    errors.push(
      validationError(`all data_table cells together must be less than ${limits.dataTableCharacters.max + 1} characters`, root),
    );
  if (blocks.flatMap(elementsOf).filter(wantsFocus).length > 1)
    errors.push(validationError('only one element may set `focus_on_load`', root));
  return errors;
}

/** The total length of all cells. Slack limits it per message. */
const countCharacters = (rows: Cell[][]): number =>
  rows.flat().reduce((sum, one) => sum + cellText(one).length, 0);

const wantsFocus = (element: InteractiveElement): boolean =>
  'focus_on_load' in element && element.focus_on_load === true;

/** Gives each block and element without an id a made-up one, as Slack does. */
export function identify(blocks: Block[], newId: () => string): Block[] {
  const copies = structuredClone(blocks);
  for (const copy of copies) {
    copy.block_id ??= newId();
    for (const element of elementsOf(copy)) if (element.type !== 'image') element.action_id ??= newId();
  }
  return copies;
}
