import { z } from 'zod';
import { limits } from '../limits.ts';
import { dataVisualization } from './charts.ts';
import { actionsElement, button, image, inputElement, sectionAccessory } from './elements.ts';
import { richText } from './rich-text.ts';
import { dataTable, table } from './tables.ts';
import { anyText, characters, mrkdwn, plainText, webAddress } from './composition-objects.ts';

const base = { block_id: characters(limits.blockId).optional() };

const section = z
  .strictObject({
    type: z.literal('section'),
    ...base,
    text: anyText(limits.sectionText).optional(),
    fields: z
      .array(anyText(limits.sectionFieldText))
      .min(limits.sectionFields.min)
      .max(limits.sectionFields.max)
      .optional(),
    accessory: sectionAccessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, 'must define either `text` or `fields`');

const header = z.strictObject({
  type: z.literal('header'),
  ...base,
  text: plainText(limits.headerText),
  level: z.number().int().min(1).max(4).optional(),
});

const divider = z.strictObject({ type: z.literal('divider'), ...base });

const context = z.strictObject({
  type: z.literal('context'),
  ...base,
  elements: z
    .array(z.discriminatedUnion('type', [image, plainText(limits.textObject), mrkdwn(limits.textObject)]))
    .min(limits.contextElements.min)
    .max(limits.contextElements.max),
});

const actions = z.strictObject({
  type: z.literal('actions'),
  ...base,
  elements: z.array(actionsElement).min(limits.actionsElements.min).max(limits.actionsElements.max),
});

const imageBlock = z
  .strictObject({
    type: z.literal('image'),
    ...base,
    alt_text: characters(limits.imageAltText),
    title: plainText(limits.imageTitle).optional(),
    image_url: webAddress(limits.imageUrl).optional(),
    slack_file: z.union([z.strictObject({ id: z.string() }), z.strictObject({ url: z.string() })]).optional(),
  })
  .refine(
    (block) => (block.image_url === undefined) !== (block.slack_file === undefined),
    'must define either `image_url` or `slack_file`',
  );

const input = z.strictObject({
  type: z.literal('input'),
  ...base,
  label: plainText(limits.inputLabel),
  hint: plainText(limits.inputHint).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: inputElement,
});

const alert = z.strictObject({
  type: z.literal('alert'),
  ...base,
  text: anyText(limits.alertText),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
});

const card = z
  .strictObject({
    type: z.literal('card'),
    ...base,
    hero_image: image.optional(),
    icon: image.optional(),
    title: anyText(limits.cardTitle).optional(),
    subtitle: anyText(limits.cardSubtitle).optional(),
    body: anyText(limits.cardBody).optional(),
    subtext: anyText(limits.cardSubtext).optional(),
    actions: z.array(button).min(limits.cardActions.min).max(limits.cardActions.max).optional(),
  })
  .refine(
    (block) => [block.hero_image, block.title, block.body, block.actions].some((part) => part !== undefined),
    'must define one of `hero_image`, `title`, `actions` or `body`',
  );

const carousel = z.strictObject({
  type: z.literal('carousel'),
  ...base,
  elements: z.array(card).min(limits.carouselCards.min).max(limits.carouselCards.max),
});

const markdown = z.strictObject({ type: z.literal('markdown'), ...base, text: characters(limits.markdownText) });

export const block = z.discriminatedUnion('type', [
  section,
  header,
  divider,
  context,
  actions,
  imageBlock,
  input,
  alert,
  card,
  carousel,
  markdown,
  richText,
  table,
  dataTable,
  dataVisualization,
]);

export type Block = z.infer<typeof block>;
export type BlockType = Block['type'];
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>;

export type Surface = 'message' | 'modal' | 'home';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

/**
 * The surfaces that allow each block, from the "Surfaces" line of its page:
 * https://docs.slack.dev/reference/block-kit/blocks
 */
export const surfaces: Readonly<Record<BlockType, readonly Surface[]>> = {
  section: everywhere,
  header: everywhere,
  divider: everywhere,
  context: everywhere,
  actions: everywhere,
  image: everywhere,
  input: everywhere,
  rich_text: everywhere,
  card: everywhere,
  alert: ['modal'],
  carousel: ['message', 'home'],
  table: ['message', 'home'],
  data_table: ['message', 'home'],
  markdown: ['message'],
  data_visualization: ['message'],
};
