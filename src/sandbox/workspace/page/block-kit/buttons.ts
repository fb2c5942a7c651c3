import { html, type TemplateResult } from 'lit-html';
import type { Button, InteractiveElement } from '../../block-kit/elements.ts';
import { domId, elementKey, hrefFor, type LocatedElement, type RenderContext } from '../ui.ts';
import { withEmoji } from '../text/mrkdwn.ts';

/** Renders a button. A button with a URL opens the URL and is still sent to the bot, as in Slack. */
export function buttonView(context: RenderContext, located: LocatedElement, element: Button): TemplateResult {
  const act = () => context.actions.click(located, null);
  const label = withEmoji(element.text.text);
  const style = `button ${element.style ?? ''}`;
  if (element.url !== undefined)
    return html`<a
      class=${style}
      href=${hrefFor(context, element.url)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label=${element.accessibility_label ?? label}
      @click=${act}
      >${label}</a
    >`;
  return html`<button type="button" class=${style} aria-label=${element.accessibility_label ?? label} @click=${act}>
    ${label}
  </button>`;
}

type Overflow = Extract<InteractiveElement, { type: 'overflow' }>;

export function overflowView(context: RenderContext, located: LocatedElement, element: Overflow): TemplateResult {
  const items = element.options.map((option) => ({
    label: withEmoji(option.text.text),
    ...(option.description !== undefined && { description: option.description.text }),
    act: () => context.actions.click(located, option.value),
  }));
  return menuView(context, `overflow ${elementKey(located)}`, 'More actions', html`⋯`, items);
}

interface MenuItem {
  label: string;
  description?: string;
  act(): void;
}

/** Renders a menu button. Arrow keys move through the menu, Escape closes it. */
export function menuView(
  context: RenderContext,
  key: string,
  label: string,
  buttonContent: TemplateResult,
  items: readonly MenuItem[],
): TemplateResult {
  const isOpen = context.ui.menu === key;
  const id = domId('menu', key);
  const toggle = () => context.change({ menu: isOpen ? null : key });
  return html`<div
    class="menu-anchor"
    @keydown=${(event: KeyboardEvent) => moveInMenu(event, isOpen, toggle)}
    @focusout=${(event: FocusEvent) => {
      if (isOpen && leaves(event)) toggle();
    }}
  >
    <button
      type="button"
      class="button icon-button"
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      aria-controls=${id}
      aria-label=${label}
      title=${label}
      @click=${toggle}
    >
      ${buttonContent}
    </button>
    <div class="menu" role="menu" id=${id} aria-label=${label} ?hidden=${!isOpen}>
      ${items.map((item) => itemView(item, toggle))}
    </div>
  </div>`;
}

function itemView(item: MenuItem, close: () => void): TemplateResult {
  const act = (event: Event): void => {
    close();
    focusAnchor(event);
    item.act();
  };
  return html`<button type="button" role="menuitem" tabindex="-1" @click=${act}>
    <span>${item.label}</span>${item.description === undefined ? '' : html`<small>${item.description}</small>`}
  </button>`;
}

/** Returns the focus to the menu button, so that a dialog that opens next gives it back to the button. */
function focusAnchor(event: Event): void {
  if (event.currentTarget instanceof Element)
    event.currentTarget.closest('.menu-anchor')?.querySelector('button')?.focus();
}

const leaves = (event: FocusEvent): boolean =>
  event.relatedTarget instanceof Node &&
  event.currentTarget instanceof Node &&
  !event.currentTarget.contains(event.relatedTarget);

function moveInMenu(event: KeyboardEvent, isOpen: boolean, toggle: () => void): void {
  const anchor = event.currentTarget;
  if (!(anchor instanceof HTMLElement)) return;
  if (event.key === 'Escape' && isOpen) {
    event.preventDefault();
    event.stopPropagation();
    toggle();
    anchor.querySelector('button')?.focus();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  if (!isOpen) toggle();
  const items = [...anchor.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = event.key === 'ArrowDown' ? at + 1 : at < 0 ? -1 : at - 1;
  // The menu renders in the next microtask.
  queueMicrotask(() => items.at(next % items.length)?.focus());
}
