import { type TemplateResult, html } from 'lit-html';
import { actionIdOf } from '../../block-elements.ts';
import type { Block, BlockOf } from '../../block-kit/blocks.ts';
import type { InteractiveElement } from '../../block-kit/elements.ts';
import type { InputValues } from '../../model.ts';
import { type Scene, type Source, domId, keyOf } from '../scene.ts';
import { withEmoji } from '../text/emoji.ts';
import { buttonView, overflowView } from './buttons.ts';
import { chartView } from './charts.ts';
import { imageBlockView, pictureView } from './images.ts';
import { inputView } from './inputs.ts';
import { markdownView } from './markdown.ts';
import { richTextView } from './rich-text.ts';
import { dataTableView, tableView } from './tables.ts';
import { anyText } from './text.ts';

/** Blocks where they stand, with what their inputs hold. */
export interface BlockScene {
  scene: Scene;
  source: Source;
  values: InputValues;
  errors: Record<string, string>;
}

export function blocksView(place: BlockScene, blocks: readonly Block[]): TemplateResult {
  return html`<div class="blocks">${blocks.map((block) => blockView(place, block))}</div>`;
}

function blockView(place: BlockScene, block: Block): TemplateResult {
  const { scene, source } = place;
  switch (block.type) {
    case 'section':
      return sectionView(place, block);
    case 'header':
      return html`<div class="block-header" role="heading" aria-level=${(block.level ?? 1) + 2}>
        ${withEmoji(block.text.text)}
      </div>`;
    case 'divider':
      return html`<hr />`;
    case 'context':
      return html`<div class="block-context">
        ${block.elements.map((one) => (one.type === 'image' ? pictureView(one, 'small') : anyText(scene, one)))}
      </div>`;
    case 'actions':
      return html`<div class="block-actions">
        ${block.elements.map((element) => elementView(place, block, element, ''))}
      </div>`;
    case 'input':
      return inputBlockView(place, block);
    case 'alert':
      return html`<div
        class="block-alert"
        data-level=${block.level ?? 'default'}
        role=${block.level === 'error' ? 'alert' : 'status'}
      >
        ${anyText(scene, block.text)}
      </div>`;
    case 'card':
      return cardView(place, block);
    case 'carousel':
      return html`<div class="block-carousel" tabindex="0" role="group" aria-label="Cards">
        ${block.elements.map((card) => cardView(place, card))}
      </div>`;
    case 'image':
      return imageBlockView(block);
    case 'markdown':
      return markdownView(scene, block.text);
    case 'rich_text':
      return richTextView(scene, block);
    case 'table':
      return tableView(scene, block);
    case 'data_table':
      return dataTableView(scene, source, block);
    default:
      return chartView(block);
  }
}

function sectionView(place: BlockScene, block: BlockOf<'section'>): TemplateResult {
  const { scene } = place;
  const { accessory } = block;
  const shown =
    accessory === undefined
      ? ''
      : accessory.type === 'image'
        ? pictureView(accessory, 'small')
        : elementView(place, block, accessory, block.text?.text ?? '');
  return html`<div class="block-section">
    <div class="block-section-text">
      ${block.text === undefined ? '' : anyText(scene, block.text)}
      ${block.fields === undefined ? '' : html`<div class="block-fields">${block.fields.map((field) => html`<div>${anyText(scene, field)}</div>`)}</div>`}
    </div>
    ${shown === '' ? '' : html`<div class="block-accessory">${shown}</div>`}
  </div>`;
}

function cardView(place: BlockScene, block: BlockOf<'card'>): TemplateResult {
  const { scene } = place;
  return html`<section class="block-card">
    ${block.hero_image === undefined ? '' : pictureView(block.hero_image, 'large')}
    <div class="card-head">
      ${block.icon === undefined ? '' : pictureView(block.icon, 'small')}
      <div>
        ${block.title === undefined ? '' : html`<div class="card-title">${anyText(scene, block.title)}</div>`}
        ${block.subtitle === undefined ? '' : html`<div class="muted">${anyText(scene, block.subtitle)}</div>`}
      </div>
    </div>
    ${block.body === undefined ? '' : anyText(scene, block.body)}
    ${block.subtext === undefined ? '' : html`<div class="muted">${anyText(scene, block.subtext)}</div>`}
    ${block.actions === undefined ? '' : html`<div class="block-actions">${block.actions.map((button) => elementView(place, block, button, ''))}</div>`}
  </section>`;
}

function elementView(place: BlockScene, block: Block, element: InteractiveElement, label: string): TemplateResult {
  const { scene, source } = place;
  const actionId = actionIdOf(element);
  const spot = { source, block, element, actionId };
  if (element.type === 'button') return buttonView(scene, spot, element);
  if (element.type === 'overflow') return overflowView(scene, spot, element);
  const state = place.values[block.block_id ?? '']?.[actionId] ?? { type: element.type };
  const placeholder = 'placeholder' in element ? element.placeholder?.text : undefined;
  return inputView(scene, spot, state, {
    id: domId(keyOf(source), block.block_id ?? '', actionId),
    label: placeholder ?? (label === '' ? 'Choose' : label),
  });
}

function inputBlockView(place: BlockScene, block: BlockOf<'input'>): TemplateResult {
  const { scene, source } = place;
  const blockId = block.block_id ?? '';
  const { element } = block;
  const actionId = actionIdOf(element);
  const id = domId(keyOf(source), blockId, actionId);
  const error = place.errors[blockId];
  const described = [
    ...(block.hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  const label = withEmoji(block.label.text);
  const state = place.values[blockId]?.[actionId] ?? { type: element.type };
  const labelled = {
    id,
    label,
    isInvalid: error !== undefined,
    isRequired: block.optional !== true,
    ...(described.length > 0 && { describedBy: described.join(' ') }),
  };
  return html`<div class="block-input" data-invalid=${error !== undefined}>
    <label class="input-label" for=${id}
      >${label}${block.optional === true ? html` <span class="muted">(optional)</span>` : ''}</label
    >
    ${inputView(scene, { source, block, element, actionId }, state, labelled)}
    ${error === undefined ? '' : html`<p class="input-error" id="${id}-error" role="alert">${error}</p>`}
    ${block.hint === undefined ? '' : html`<p class="input-hint" id="${id}-hint">${withEmoji(block.hint.text)}</p>`}
  </div>`;
}
