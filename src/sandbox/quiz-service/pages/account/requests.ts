import { html } from '../html.ts';
import { page } from '../page.ts';
import { ownerPage } from './owner.ts';

export const requestRoutes = [
  ownerPage('/account/requests', ({ site }) => {
    const requests = site.requestLog.list();
    return page(
      'Logged requests',
      html`<h1>Logged requests</h1>
<p class="soft">${requests.length === 0 ? 'No request was logged yet.' : 'Requests with a valid API key, newest first; times are UTC.'}
<a href="/account">Back to the API screen</a></p>
<section class="scroll" tabindex="0" aria-label="Logged requests"><table>
<thead><tr>${['Time', 'Method', 'Path', 'Status', 'Took'].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${requests.map(
        (request) => html`<tr><td>${request.date}</td><td>${request.method}</td><td><code>${request.path}</code></td>
<td>${request.status}</td><td>${request.duration_ms} ms</td></tr>
`,
      )}</tbody></table></section>`,
      { isWide: true },
    );
  }),
];
