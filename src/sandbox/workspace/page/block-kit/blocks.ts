import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { actionIdOf } from '../../interactive-elements.ts';
import type { Block, BlockOf } from '../../block-kit/blocks.ts';
import type { InteractiveElement } from '../../block-kit/elements.ts';
import type { InputValues } from '../../model.ts';
import { domId, keyOf, type RenderContext, type Source } from '../ui.ts';
import { withEmoji } from '../text/mrkdwn.ts';
import { buttonView, overflowView } from './buttons.ts';
import { chartView, dataTableView } from './charts-and-tables.ts';
import { inputView } from './inputs.ts';
import { anyText } from './text.ts';

/** The message or view that shows the blocks, with the state of its inputs. */
export interface BlockSurface {
  context: RenderContext;
  source: Source;
  values: InputValues;
  errors: Record<string, string>;
}

/** An input stays itself where others come before it: somebody may be typing in it. */
export function blocksView(surface: BlockSurface, blocks: readonly Block[]): TemplateResult {
  return html`<div class="blocks">
    ${repeat(
      blocks,
      (block, index) => (block.type === 'input' ? block.block_id : index),
      (block) => blockView(surface, block),
    )}
  </div>`;
}

function blockView(surface: BlockSurface, block: Block): TemplateResult {
  const { context, source } = surface;
  switch (block.type) {
    case 'section':
      return sectionView(surface, block);
    case 'header':
      return html`<div class="block-header" role="heading" aria-level="3">${withEmoji(block.text.text)}</div>`;
    case 'divider':
      return html`<hr />`;
    case 'context':
      return html`<div class="block-context">
        ${block.elements.map((item) => anyText(context, item))}
      </div>`;
    case 'actions':
      return html`<div class="block-actions">
        ${block.elements.map((element) => elementView(surface, block, element, ''))}
      </div>`;
    case 'input':
      return inputBlockView(surface, block);
    case 'rich_text':
      return html`<div class="mrkdwn">
        ${block.elements.map(({ elements }) => html`<pre tabindex="0">${elements.map(({ text }) => text).join('')}</pre>`)}
      </div>`;
    case 'data_table':
      return dataTableView(context, source, block);
    default:
      return chartView(block);
  }
}

function sectionView(surface: BlockSurface, block: BlockOf<'section'>): TemplateResult {
  const { context } = surface;
  const { accessory } = block;
  const shown = accessory === undefined ? '' : elementView(surface, block, accessory, block.text?.text ?? '');
  return html`<div class="block-section">
    <div class="block-section-text">
      ${block.text === undefined ? '' : anyText(context, block.text)}
      ${block.fields === undefined ? '' : html`<div class="block-fields">${block.fields.map((field) => html`<div>${anyText(context, field)}</div>`)}</div>`}
    </div>
    ${shown === '' ? '' : html`<div class="block-accessory">${shown}</div>`}
  </div>`;
}

function elementView(surface: BlockSurface, block: Block, element: InteractiveElement, label: string): TemplateResult {
  const { context, source } = surface;
  const actionId = actionIdOf(element);
  const located = { source, block, element, actionId };
  if (element.type === 'button') return buttonView(context, located, element);
  if (element.type === 'overflow') return overflowView(context, located, element);
  const state = surface.values[block.block_id ?? '']?.[actionId] ?? { type: element.type };
  const placeholder = 'placeholder' in element ? element.placeholder?.text : undefined;
  return inputView(context, located, element, state, {
    id: domId(keyOf(source), block.block_id ?? '', actionId),
    label: placeholder ?? (label === '' ? 'Choose' : label),
  });
}

function inputBlockView(surface: BlockSurface, block: BlockOf<'input'>): TemplateResult {
  const { context, source } = surface;
  const blockId = block.block_id ?? '';
  const { element } = block;
  const actionId = actionIdOf(element);
  const id = domId(keyOf(source), blockId, actionId);
  const error = surface.errors[blockId];
  const described = [
    ...(block.hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  const label = withEmoji(block.label.text);
  const state = surface.values[blockId]?.[actionId] ?? { type: element.type };
  const fieldLabel = {
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
    ${inputView(context, { source, block, element, actionId }, element, state, fieldLabel)}
    ${error === undefined ? '' : html`<p class="input-error" id="${id}-error" role="alert">${error}</p>`}
    ${block.hint === undefined ? '' : html`<p class="input-hint" id="${id}-hint">${withEmoji(block.hint.text)}</p>`}
  </div>`;
}
