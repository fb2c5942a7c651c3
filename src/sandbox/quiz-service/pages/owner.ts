import { forbidden, notFound, type PathParameters, unprocessable } from '../http.ts';
import { isPassword, readOwnerPasswordHash } from '../account.ts';
import {
  type Html,
  html,
  page,
  type PageRoute,
  pageRoute,
  redirect,
  type Reply,
  type Site,
  textField,
  type Visit,
} from './page.ts';
import { isFormToken, type Session, sessionCookie, sessionCookies } from './sessions.ts';
import { guardSignIn } from './sign-in.ts';
import { formatDate } from '../database.ts';
import {
  addWebhook,
  countDeliveries,
  eventTypes,
  listWebhooks,
  removeWebhook,
  signatureSchemes,
  type Webhook,
} from '../webhooks/webhooks.ts';

export const ownerRoutes = [
  pageRoute('GET', '/account/sign-in', () => ownerSignInPage()),

  pageRoute('POST', '/account/sign-in', async (visit) => {
    guardSignIn(visit);
    const { site, form, peer } = visit;
    const hash = readOwnerPasswordHash(site.account.database);
    if (!(await isPassword(textField(form, 'password'), hash))) return ownerSignInPage('That password isn’t right.');
    return redirect('/account', sessionCookie('owner', site.sessions.begin({ role: 'owner' }), peer.isOverTls));
  }),

  ownerAction('/account/sign-out', ({ site, cookies, peer }) => {
    site.sessions.end(cookies[sessionCookies.owner]);
    return redirect('/', sessionCookie('owner', undefined, peer.isOverTls));
  }),
];

/** Defines a page for the owner. Redirects other visitors to the sign-in page. */
function ownerPage<Path extends string>(
  path: Path,
  show: (visit: Visit<PathParameters<Path>>, ownerForm: OwnerForm) => Reply,
): PageRoute {
  return pageRoute('GET', path, (visit) => {
    const session = ownerSession(visit);
    return session ? show(visit, formsOf(session)) : redirect('/account/sign-in');
  });
}

/** Defines an action of the owner. It requires the session's form token, which prevents forged requests. */
function ownerAction<Path extends string>(path: Path, act: (visit: Visit<PathParameters<Path>>) => Reply): PageRoute {
  return pageRoute('POST', path, (visit) => {
    const session = ownerSession(visit);
    if (!session) return redirect('/account/sign-in');
    if (!isFormToken(session, textField(visit.form, 'form_token'))) {
      throw forbidden('This form is out of date. Reload the API screen.');
    }
    return act(visit);
  });
}

/** Renders a form with the session's form token. */
type OwnerForm = (action: string, content: Html) => Html;

function formsOf(session: Session): OwnerForm {
  return (action, content) => html`<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${session.formToken}">${content}</form>`;
}

function ownerSession({ site, cookies, peer }: Visit): Session | undefined {
  if (!peer.isSecure) throw forbidden('403.4: SSL required. Open the API screen over HTTPS.');
  const session = site.sessions.find(cookies[sessionCookies.owner]);
  return session?.who.role === 'owner' ? session : undefined;
}

function ownerSignInPage(error?: string): Reply {
  return page(
    'API screen',
    html`<h1>API screen</h1>
<form class="card" method="post" action="/account/sign-in">
<p>Only the account’s owner can sign in. The service printed the password when it started for the first time.</p>
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
<div class="field"><label for="password">Owner’s password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></div>
<button>Sign in</button>
</form>`,
    { status: error === undefined ? 200 : 403 },
  );
}

const schemeNotes = {
  body: 'HMAC-SHA256 of the body',
  'timestamp-body': 'HMAC-SHA256 of timestamp and body',
  standard: 'Standard Webhooks',
  'timestamp-secret': 'HMAC-SHA256 of timestamp and secret (doesn’t cover the body)',
} as const;

/** The API screen of the specification: key (section 5), webhooks (section 6), logged requests and outbox. */
export const apiScreenRoutes = [
  ownerPage('/account', ({ site }, ownerForm) =>
    page(
      'API screen',
      html`<h1>API screen</h1>
<section><h2>API key</h2>${keySection(site, ownerForm)}</section>
<section><h2>Webhooks</h2>${webhookSection(site, ownerForm)}</section>
<section><h2>More</h2><ul class="plain">
<li><a href="/account/requests">Request log: the last 1,000 requests</a></li>
<li><a href="/account/outbox">Outbox: the welcome e-mails that would be sent</a></li>
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
    if (scheme === undefined) throw unprocessable('Choose a signature.');
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

  ownerPage('/account/requests', ({ site }) => {
    const requests = site.requestLog.list();
    return page(
      'Logged requests',
      html`<h1>Logged requests</h1>
<p class="soft">${requests.length === 0 ? 'No requests yet.' : 'Requests with a valid API key, newest first. Times are in UTC.'}
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

  ownerPage('/account/outbox', ({ site }, ownerForm) => {
    const mails = site.outbox.list();
    return page(
      'Outbox',
      html`<h1>Outbox</h1>
<p class="soft">The sandbox sends no e-mail. These are the messages it would send. <a href="/account">Back to the API screen</a></p>
${mails.length === 0 && html`<section><p>No e-mails yet.</p></section>`}
${mails.map(
  (mail) => html`<section><h2>${mail.subject}</h2>
<dl><dt>To</dt><dd>${mail.recipient}</dd><dt>Sent</dt><dd>${mail.date_sent} UTC</dd></dl>
<p>${mail.text}</p>
${
  mail.hasPassword
    ? ownerForm(`/account/outbox/${mail.mail_id}/password`, html`<button class="quiet">Show the password once</button>`)
    : html`<p class="hint">The password isn’t available anymore.</p>`
}</section>`,
)}`,
    );
  }),

  ownerAction('/account/outbox/:mail_id/password', ({ site, parameters }) => {
    const password = site.outbox.takePassword(parameters.mail_id);
    if (password === undefined)
      throw notFound('The password isn’t available anymore. It is shown once, and a restart discards it.');
    return page(
      'Password',
      html`<h1>The password in the e-mail</h1>
<section><p><code>${password}</code></p>
<p class="hint">You won’t see it again. <a href="/account/outbox">Back to the outbox</a></p></section>`,
    );
  }),
];

/** @throws HttpError 422 when it is not an http or https URL */
function readEndpoint(form: FormData): string {
  const endpoint = textField(form, 'url');
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw unprocessable('The endpoint must be an HTTP or HTTPS URL.');
  }
  return endpoint;
}

function keySection({ apiKey }: Site, ownerForm: OwnerForm): Html {
  const key = apiKey.current();
  if (key === undefined) {
    return html`<p>This account has no API key, so it refuses every call.</p>
${ownerForm('/account/key/create', html`<button>Create Key</button>`)}`;
  }
  return html`<details><summary>Show the key</summary><p><code>${key}</code></p></details>
<p class="hint">Rolling creates a new key, and the old one stops working immediately. Deleting the key also deletes the request log.</p>
<div class="row">
${ownerForm('/account/key/roll', html`<button>Roll the key</button>`)}
${ownerForm('/account/key/delete', html`<button class="danger">Delete the key</button>`)}
</div>`;
}

function webhookSection(site: Site, ownerForm: OwnerForm): Html {
  const webhooks = listWebhooks(site.account.database);
  return html`${
    webhooks.length === 0
      ? html`<p>No webhooks yet.</p>`
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
