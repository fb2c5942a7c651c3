import { notFound } from '../../http/refusal.ts';
import { html } from '../html.ts';
import { page } from '../page.ts';
import { ownerAction, ownerPage } from './owner.ts';

export const outboxRoutes = [
  ownerPage('/account/outbox', ({ site }, ownerForm) => {
    const mails = site.outbox.list();
    return page(
      'Outbox',
      html`<h1>Outbox</h1>
<p class="soft">E-mails go nowhere from here; this is what they say. <a href="/account">Back to the API screen</a></p>
${mails.length === 0 && html`<section><p>No e-mail was sent yet.</p></section>`}
${mails.map(
  (mail) => html`<section><h2>${mail.subject}</h2>
<dl><dt>To</dt><dd>${mail.recipient}</dd><dt>Sent</dt><dd>${mail.date_sent} UTC</dd></dl>
<p>${mail.text}</p>
${
  mail.hasPassword
    ? ownerForm(`/account/outbox/${mail.mail_id}/password`, html`<button class="quiet">Show the password once</button>`)
    : html`<p class="hint">The password is no longer kept.</p>`
}</section>`,
)}`,
    );
  }),

  ownerAction('/account/outbox/:mail_id/password', ({ site, parameters }) => {
    const password = site.outbox.takePassword(parameters.mail_id);
    if (password === undefined) throw notFound('The password was shown before, or the service was restarted since.');
    return page(
      'Password',
      html`<h1>The password in the e-mail</h1>
<section><p><code>${password}</code></p>
<p class="hint">It is shown only now. <a href="/account/outbox">Back to the outbox</a></p></section>`,
    );
  }),
];
