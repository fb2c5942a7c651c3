import { listQuizzes } from '../store/quizzes.ts';
import { html } from './html.ts';
import { page, pageRoute } from './page.ts';

export const homeRoutes = [
  pageRoute('GET', '/', ({ site }) => {
    const open = listQuizzes(site.account.database).filter((quiz) => quiz.status === 'open');
    return page(
      'Quizzes',
      html`<h1>Take a quiz</h1>
<section aria-label="Open quizzes">
${
  open.length === 0
    ? html`<p>No quiz is open at the moment.</p>`
    : html`<ul class="plain">${open.map((quiz) => html`<li><a href="/take/${quiz.quiz_id}">${quiz.name}</a></li>`)}</ul>`
}
</section>
<section>
<h2>Have an account?</h2>
<p>Users of this account <a href="/sign-in">sign in</a> to see the quizzes assigned to them.
Its owner manages the key, the request log and webhooks on the <a href="/account">API screen</a>.</p>
</section>`,
    );
  }),
];
