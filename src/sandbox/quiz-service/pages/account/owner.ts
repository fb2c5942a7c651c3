import type { PathParameters } from '../../http/router.ts';
import { forbidden } from '../../http/http-error.ts';
import { isPassword } from '../../password.ts';
import { readOwnerPasswordHash } from '../../store/account.ts';
import { type Html, html } from '../html.ts';
import { page, type PageRoute, pageRoute, redirect, type Reply, textField, type Visit } from '../page.ts';
import { isFormToken, type Session, sessionCookie, sessionCookies } from '../sessions.ts';
import { guardSignIn } from '../sign-in.ts';

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
export function ownerPage<Path extends string>(
  path: Path,
  show: (visit: Visit<PathParameters<Path>>, ownerForm: OwnerForm) => Reply,
): PageRoute {
  return pageRoute('GET', path, (visit) => {
    const session = ownerSession(visit);
    return session ? show(visit, formsOf(session)) : redirect('/account/sign-in');
  });
}

/** Defines an action of the owner. It requires the session's form token, which prevents forged requests. */
export function ownerAction<Path extends string>(
  path: Path,
  act: (visit: Visit<PathParameters<Path>>) => Reply,
): PageRoute {
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
export type OwnerForm = (action: string, content: Html) => Html;

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
