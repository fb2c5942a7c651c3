import { notFound } from '../http/http-error.ts';
import { readSettings } from '../store/quizzes.ts';
import { requireAttempt } from '../taking/attempts.ts';
import { html } from './html.ts';
import { page, pageRoute, redirect } from './page.ts';

export const resultRoutes = [
  pageRoute('GET', '/results/:response_id', ({ site, parameters }) => {
    const response = requireAttempt(site.account, parameters.response_id);
    if (response.status !== 'submitted') return redirect(`/attempts/${response.response_id}`);
    const { passMark, hasCertificate } = readSettings(site.account.database, response.quiz_id);
    return page(
      'Your result',
      html`<h1>Thank you, ${response.first_name}</h1>
<section>
<h2>${response.quiz_name}</h2>
<p class="score">${response.percentage_score} %</p>
<p class="${response.pass ? 'passed' : 'failed'}">${response.pass ? '✓ Passed' : '✗ Failed'}</p>
<dl>
<dt>Score</dt><dd>${response.points} of ${response.available_points} points</dd>
${response.grade !== '' && html`<dt>Grade</dt><dd>${response.grade}</dd>`}
<dt>Pass mark</dt><dd>${passMark} %</dd>
<dt>Attempt</dt><dd>${response.attempt}</dd>
<dt>Time taken</dt><dd>${formatDuration(response.duration)}</dd>
<dt>Submitted</dt><dd>${response.date_submitted} UTC</dd>
</dl>
${
  hasCertificate &&
  response.pass &&
  html`<p><a href="/certificates/${response.response_id}">View your certificate</a></p>`
}
</section>
<p>${site.returnUrl !== undefined && html`<a href="${site.returnUrl}">Back to the workspace</a> · `}
<a href="/">Other quizzes</a></p>`,
    );
  }),

  pageRoute('GET', '/certificates/:response_id', ({ site, parameters }) => {
    const response = requireAttempt(site.account, parameters.response_id);
    const { hasCertificate } = readSettings(site.account.database, response.quiz_id);
    if (!hasCertificate || response.status !== 'submitted' || !response.pass) {
      throw notFound('This attempt has no certificate.');
    }
    return page(
      'Certificate',
      html`<h1>Certificate</h1>
<section>
<p>This is to certify that</p>
<p class="score">${response.first_name} ${response.last_name}</p>
<p>passed <strong>${response.quiz_name}</strong> with ${response.percentage_score} %,
${response.grade !== '' && html`grade ${response.grade},`} on ${response.date_submitted?.slice(0, 10)}.</p>
</section>`,
    );
  }),
];

function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}
