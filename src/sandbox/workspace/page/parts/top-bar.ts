import { type TemplateResult, html } from 'lit-html';
import type { Person } from '../../model.ts';
import { menuView } from '../block-kit/buttons.ts';
import { hrefFor, type RenderContext } from '../render-context.ts';
import { clockView } from './clock.ts';
import { tourButton } from './tour.ts';

export function topBar(context: RenderContext): TemplateResult {
  const { server, ui, actions, act, change } = context;
  const shortcuts = server.shortcuts
    .filter((shortcut) => shortcut.kind === 'global')
    .map((shortcut) => ({
      label: shortcut.name,
      description: shortcut.description,
      act: () => act({ do: 'shortcut', callbackId: shortcut.callbackId }),
    }));
  return html`<header class="top-bar">
    <button
      type="button"
      class="button icon-button only-narrow"
      aria-label="Channels"
      aria-expanded=${ui.isSidebarOpen}
      @click=${() => change({ isSidebarOpen: !ui.isSidebarOpen })}
    >
      ☰
    </button>
    <h1>${server.teamName}</h1>
    <nav aria-label="Links" class="top-links only-wide">${links(context)}</nav>
    ${clockView(context)} ${tourButton(context)}
    ${shortcuts.length === 0 ? '' : menuView(context, 'shortcuts', 'Shortcuts', shortcutsIcon, shortcuts)}
    <label class="acting-as">
      <span class="only-wide">Acting as</span>
      <select
        aria-label="Acting as"
        @change=${(event: Event) => {
          if (event.target instanceof HTMLSelectElement) actions.actAs(event.target.value);
        }}
      >
        ${server.people
          .filter((person) => person.isBot !== true && person.isDeleted !== true)
          .map((person) => personOption(person, person.id === server.me.id))}
      </select>
    </label>
  </header>`;
}

const shortcutsIcon = html`<span aria-hidden="true">⚡</span><span class="only-wide">Shortcuts</span>`;

const personOption = (person: Person, isMe: boolean): TemplateResult =>
  html`<option value=${person.id} ?selected=${isMe}>${person.realName} · ${person.title}</option>`;

/** The links are in the top bar where there is room for them, else in the sidebar. */
export const links = (context: RenderContext): TemplateResult[] =>
  context.server.links.map(
    (link) =>
      html`<a href=${hrefFor(context, link.url)} target="_blank" rel="noopener">${link.label}<span aria-hidden="true"> ↗</span></a>`,
  );
