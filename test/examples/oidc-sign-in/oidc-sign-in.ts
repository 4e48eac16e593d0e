import { createHash, randomBytes } from 'node:crypto';
import { Get, Injectable, Module, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import {
  Config,
  defineModule,
  KitModule,
  PageProblemError,
  type PageReply,
  PageSessions,
  publicAddress,
  PublicPage,
  redirectTo,
  settingsOf,
  UsersRepository,
} from '../../../src/kit.js';

// Sign-in by an identity provider, in place of the form with a password: authorization code with PKCE.

const SETTINGS = z.object({
  OIDC_ISSUER: z.url().describe('Address of the identity provider, such as `https://id.example`.'),
  OIDC_CLIENT_ID: z.string().describe('Of this installation at the provider.'),
  OIDC_CLIENT_SECRET: z.string().describe('Of this installation at the provider.'),
});

const COOKIE = { name: 'tidemark-oidc', maxAge: 10 * 60_000 };
const TIMEOUT_MS = 10_000;

const random = () => randomBytes(32).toString('base64url');
const refused = (text: string) => new PageProblemError(403, 'You are not signed in', text, TRY_AGAIN);
const TRY_AGAIN = { href: '/sign-in', text: 'Try again' };

async function ask<Answer>(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw refused(`The identity provider answered ${response.status}.`);
  return (await response.json()) as Answer;
}

interface Issuer {
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

@Injectable()
class IdentityProvider {
  readonly #settings;

  constructor(config: Config) {
    this.#settings = settingsOf(config, SETTINGS);
  }

  /** Where the browser goes. */
  async address(redirect: string, state: string, verifier: string): Promise<string> {
    const url = new URL((await this.#endpoints()).authorization_endpoint);
    url.search = new URLSearchParams({
      response_type: 'code',
      scope: 'openid email',
      client_id: this.#settings.OIDC_CLIENT_ID,
      redirect_uri: redirect,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    return url.href;
  }

  /** The address that the provider has verified. The answer comes from the provider itself, by TLS. */
  async emailOf(code: string, redirect: string, verifier: string): Promise<string | null> {
    const { token_endpoint, userinfo_endpoint } = await this.#endpoints();
    const { OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } = this.#settings;
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      client_id,
      client_secret,
      code_verifier: verifier,
    });
    const { access_token } = await ask<{ access_token: string }>(token_endpoint, { method: 'POST', body });
    const headers = { Authorization: `Bearer ${access_token}` };
    const person = await ask<{ email?: string; email_verified?: boolean }>(userinfo_endpoint, { headers });
    return person.email_verified ? (person.email ?? null) : null;
  }

  #endpoints(): Promise<Issuer> {
    return ask<Issuer>(`${this.#settings.OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`);
  }
}

/** Modules come before the pages of Tidemark: these routes are in the place of its own `GET /sign-in`. */
@PublicPage('sign-in')
class OidcSignInController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly users: UsersRepository,
    private readonly sessions: PageSessions,
  ) {}

  @Get()
  async leave(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PageReply> {
    const [state, verifier] = [random(), random()];
    const { secure } = request;
    response.cookie(COOKIE.name, `${state}.${verifier}`, {
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: COOKIE.maxAge,
    });
    return redirectTo(await this.provider.address(callbackOf(request), state, verifier));
  }

  @Get('callback')
  async come(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query('code') code: unknown,
    @Query('state') state: unknown,
  ): Promise<PageReply> {
    const [, known, verifier] =
      new RegExp(`${COOKIE.name}=([\\w-]+)\\.([\\w-]+)`).exec(request.headers.cookie ?? '') ?? [];
    response.clearCookie(COOKIE.name);
    if (!verifier || state !== known || typeof code !== 'string') throw refused('This sign-in was begun elsewhere.');
    const email = await this.provider.emailOf(code, callbackOf(request), verifier);
    const user = email && (await this.users.findByEmail(email));
    if (!user) throw refused('Nobody here has the e-mail address that the identity provider knows you by.');
    await this.sessions.begin(user, request, response);
    return redirectTo('/');
  }
}

const callbackOf = (request: Request) => `${publicAddress(request)}/sign-in/callback`;

@Module({ imports: [KitModule], controllers: [OidcSignInController], providers: [IdentityProvider] })
class OidcSignInModule {}

export const oidcSignIn = defineModule({ name: 'oidc', needs: '^1.0', module: OidcSignInModule, settings: SETTINGS });
