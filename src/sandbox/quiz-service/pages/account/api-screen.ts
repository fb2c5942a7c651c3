import { formatDate } from '../../dates.ts';
import { unprocessable } from '../../http/refusal.ts';
import { signatureSchemes } from '../../webhooks/signature.ts';
import {
  addWebhook,
  countDeliveries,
  eventTypes,
  listWebhooks,
  removeWebhook,
  type Webhook,
} from '../../webhooks/webhooks.ts';
import { type Html, html } from '../html.ts';
import { page, redirect, type Site, textField } from '../page.ts';
import { ownerAction, type OwnerForm, ownerPage } from './owner.ts';

const schemeNotes = {
  body: 'HMAC-SHA256 of the body',
  'timestamp-body': 'HMAC-SHA256 of timestamp and body',
  standard: 'Standard Webhooks',
  'timestamp-secret': 'HMAC-SHA256 of timestamp and secret; does not cover the body',
} as const;

/** The API screen of the specification: the key (section 5) and the webhooks (section 6). */
export const apiScreenRoutes = [
  ownerPage('/account', ({ site }, ownerForm) =>
    page(
      'API screen',
      html`<h1>API screen</h1>
<section><h2>API key</h2>${keySection(site, ownerForm)}</section>
<section><h2>Webhooks</h2>${webhookSection(site, ownerForm)}</section>
<section><h2>More</h2><ul class="plain">
<li><a href="/account/requests">The last 1000 logged requests</a></li>
<li><a href="/account/outbox">Outbox: e-mails the service would have sent</a></li>
</ul></section>
${ownerForm('/account/sign-out', html`<button class="quiet">Sign out</button>`)}`,
    ),
  ),

  ownerAction('/account/key/create', ({ site }) => {
    if (site.apiKey.current() === undefined) site.apiKey.roll();
    return redirect('/account');
  }),

  ownerAction('/account/key/roll', ({ site }) => {
    if (site.apiKey.current() !== undefined) site.apiKey.roll();
    return redirect('/account');
  }),

  ownerAction('/account/key/delete', ({ site }) => {
    site.apiKey.delete();
    return redirect('/account');
  }),

  ownerAction('/account/webhooks', ({ site, form }) => {
    const scheme = signatureSchemes.find((candidate) => candidate === form.get('scheme'));
    const events = eventTypes.filter((eventType) => form.getAll('events').includes(eventType));
    if (scheme === undefined) throw unprocessable('Choose how calls are signed.');
    if (events.length === 0) throw unprocessable('Choose at least one event.');
    addWebhook(site.account.database, {
      webhook_id: site.account.newId(),
      url: readEndpoint(form),
      secret: textField(form, 'secret') || null,
      scheme,
      events,
      date_created: formatDate(site.account.now()),
    });
    return redirect('/account');
  }),

  ownerAction('/account/webhooks/:webhook_id/remove', ({ site, parameters }) => {
    removeWebhook(site.account.database, parameters.webhook_id);
    return redirect('/account');
  }),
];

/** @throws Refusal 422 when it is not an http or https URL */
function readEndpoint(form: FormData): string {
  const endpoint = textField(form, 'url');
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw unprocessable('The endpoint must be an http or https URL.');
  }
  return endpoint;
}

function keySection({ apiKey }: Site, ownerForm: OwnerForm): Html {
  const key = apiKey.current();
  if (key === undefined) {
    return html`<p>There is no key, so every call is refused.</p>
${ownerForm('/account/key/create', html`<button>Create Key</button>`)}`;
  }
  return html`<details><summary>Show the key</summary><p><code>${key}</code></p></details>
<p class="hint">Rolling makes a new key, and this one stops at once. Deleting it deletes the request log too.</p>
<div class="row">
${ownerForm('/account/key/roll', html`<button>Roll the key</button>`)}
${ownerForm('/account/key/delete', html`<button class="danger">Delete the key</button>`)}
</div>`;
}

function webhookSection(site: Site, ownerForm: OwnerForm): Html {
  const webhooks = listWebhooks(site.account.database);
  return html`${
    webhooks.length === 0
      ? html`<p>There is no webhook yet.</p>`
      : html`<ul class="plain">${webhooks.map((webhook) => webhookItem(site, ownerForm, webhook))}</ul>`
  }
<h2>Create a webhook</h2>
${ownerForm(
  '/account/webhooks',
  html`<div class="field"><label for="url">Endpoint</label>
<input id="url" name="url" type="url" required placeholder="https://"></div>
<fieldset><legend>Events</legend>
${eventTypes.map(
  (eventType) => html`<div class="choice">
<input type="checkbox" id="event_${eventType}" name="events" value="${eventType}" checked>
<label for="event_${eventType}">${eventType}</label></div>`,
)}</fieldset>
<div class="field"><label for="secret">Shared secret (optional)</label>
<input id="secret" name="secret" type="text" autocomplete="off"></div>
<div class="field"><label for="scheme">Signature</label><select id="scheme" name="scheme">
${signatureSchemes.map((scheme) => html`<option value="${scheme}">${schemeNotes[scheme]}</option>`)}</select></div>
<button>Create Webhook</button>`,
)}`;
}

function webhookItem(site: Site, ownerForm: OwnerForm, webhook: Webhook): Html {
  const { pending, delivered, given_up, last_failure } = countDeliveries(site.account.database, webhook.webhook_id);
  const signed = webhook.secret === null ? 'not signed' : schemeNotes[webhook.scheme];
  const counts = `delivered ${delivered}, waiting ${pending}, given up ${given_up}`;
  return html`<li><code>${webhook.url}</code>
<p class="hint">${webhook.events.join(', ')} · ${signed} · ${counts}
${last_failure !== null && html`· last failure: ${last_failure}`}</p>
${ownerForm(
  `/account/webhooks/${webhook.webhook_id}/remove`,
  html`<button class="danger" aria-label="Remove the webhook ${webhook.url}">Remove</button>`,
)}</li>`;
}
