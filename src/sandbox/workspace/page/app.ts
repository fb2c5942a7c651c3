import { type TemplateResult, html } from 'lit-html';
import { drawerView } from './parts/drawer.ts';
import { confirmView, modalView } from './parts/modal.ts';
import { noticesView } from './parts/notices.ts';
import { placeView, threadView } from './parts/places.ts';
import { sidebar } from './parts/sidebar.ts';
import { topBar } from './parts/top-bar.ts';
import type { Scene } from './scene.ts';

/** The whole page, from its state. */
export function appView(scene: Scene): TemplateResult {
  return html`<a class="skip" href="#composer" @click=${skipToComposer}>Skip to the composer</a>
    ${topBar(scene)}
    <div class="columns">
      ${sidebar(scene)}
      ${
        scene.ui.isSidebarOpen
          ? html`<div
              class="scrim only-narrow"
              @click=${() => {
                scene.actions.toggleSidebar(false);
              }}
            ></div>`
          : ''
      }
      ${placeView(scene)} ${threadView(scene)} ${drawerView(scene)}
    </div>
    ${noticesView(scene)} ${modalView(scene)} ${confirmView(scene)}`;
}

function skipToComposer(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}
