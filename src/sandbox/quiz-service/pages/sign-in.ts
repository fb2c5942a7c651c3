import { type Account, isPassword } from '../account.ts';
import { forbidden, HttpError } from '../http.ts';
import { listQuizzesToTake, findQuiz, type Quiz } from '../store/quizzes.ts';
import { latestResponsesOfUser, type Response } from '../store/responses.ts';
import { findPasswordHash, findUser, findUserIdByName, type User } from '../store/users.ts';
import {
  type Html,
  html,
  page,
  pageRoute,
  redirect,
  type Reply,
  sessionCookie,
  sessionCookieName,
  textField,
  type Visit,
} from './page.ts';

export const signInRoutes = [
  pageRoute('GET', '/sign-in', (visit) => signInPage(visit)),

  pageRoute('POST', '/sign-in', async (visit) => {
    const { site, form, peer } = visit;
    guardSignIn(visit);
    const userName = textField(form, 'user_name');
    const password = form.get('password');
    const userId = findUserIdByName(site.account.database, userName);
    const hash = userId === undefined ? null : findPasswordHash(site.account.database, userId);
    const isRight = await isPassword(typeof password === 'string' ? password : '', hash);
    if (!isRight || userId === undefined) return signInPage(visit, 'That login name or password isn’t right.');
    if (findUser(site.account.database, userId)?.suspended) {
      return signInPage(visit, 'This account is suspended, so you can’t sign in.');
    }
    const sessionId = site.sessions.begin(userId);
    const quizId = textField(form, 'take');
    const target = findQuiz(site.account.database, quizId) ? `/take/${quizId}` : '/my-quizzes';
    return redirect(target, sessionCookie(sessionId, peer.isOverTls));
  }),

  pageRoute('POST', '/sign-out', ({ site, cookies, peer }) => {
    site.sessions.end(cookies[sessionCookieName]);
    return redirect('/', sessionCookie(undefined, peer.isOverTls));
  }),

  pageRoute('GET', '/my-quizzes', (visit) => {
    const user = signedInUser(visit);
    return user ? myQuizzesPage(visit.site.account, user) : redirect('/sign-in');
  }),
];

/** @returns the session's user, or undefined when nobody is signed in or the user is suspended */
export function signedInUser({ site, cookies }: Visit): User | undefined {
  const userId = site.sessions.find(cookies[sessionCookieName]);
  const user = userId === undefined ? undefined : findUser(site.account.database, userId);
  return user?.suspended ? undefined : user;
}

/** @throws HttpError when the connection is not secure or there were too many attempts */
function guardSignIn({ site, peer }: Visit): void {
  if (!peer.isSecure) throw forbidden('403.4: SSL required. Sign in over HTTPS.');
  if (site.signInLimit.take() > 0)
    throw new HttpError(429, 'Too many people tried to sign in just now. Try again in a minute.');
}

function signInPage({ site, form, query }: Visit, error?: string): Reply {
  const quizId = query.get('take') ?? textField(form, 'take');
  return page(
    'Sign in',
    html`<h1>Sign in</h1>
<form class="card" method="post" action="/sign-in">
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
${quizId !== '' && html`<input type="hidden" name="take" value="${quizId}">`}
<div class="field"><label for="user_name">Login name</label>
<input id="user_name" name="user_name" type="text" autocomplete="username" required value="${textField(form, 'user_name')}"></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></div>
<button>Sign in</button>
</form>
${
  site.isSample &&
  html`<p class="note">Sample people have no passwords: open a <a href="/">quiz</a> and choose a person there.
People you create sign in here with their password.</p>`
}`,
    { status: error === undefined ? 200 : 403 },
  );
}

function myQuizzesPage(account: Account, user: User): Reply {
  const results = latestResponsesOfUser(account.database, user.user_id, account.publicUrl());
  const quizzes = listQuizzesToTake(account.database, user.user_id);
  return page(
    'My quizzes',
    html`<h1>Your quizzes, ${user.first_name || user.user_name}</h1>
<section aria-label="Assigned quizzes">
${quizzes.length === 0 && html`<p>You have no quizzes right now.</p>`}
<ul class="plain">${quizzes.map(
      (quiz) => html`<li>${quizLink(quiz)}${lastResult(results.get(quiz.quiz_id))}</li>`,
    )}</ul>
</section>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`,
  );
}

function quizLink({ quiz_id, name, status }: Quiz): Html {
  if (status === 'open') return html`<a href="/take/${quiz_id}">${name}</a>`;
  return html`${name} <span class="soft">(${status === 'closed' ? 'closed' : 'not open yet'})</span>`;
}

function lastResult(response: Response | undefined): Html | undefined {
  if (!response) return undefined;
  if (response.status !== 'submitted') return html`<br><span class="soft">started, not submitted</span>`;
  const { percentage_score, pass, attempt } = response;
  const outcome = pass ? 'passed' : 'failed';
  return html`<br><span class="soft">${percentage_score}%, ${outcome}, attempt ${attempt}</span>`;
}
