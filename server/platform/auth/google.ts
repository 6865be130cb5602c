// "Continue with Google", or with another OpenID provider in its place.
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { Config } from '#server/config.ts'

/** Google's endpoints are hard-coded, so that a start does not depend on Google. Every other issuer is discovered. */
const GOOGLE = {
  issuer: 'https://accounts.google.com',
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  userInfoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
}

/** The provider named `google`. Its picture is not taken over: a page shows no image from elsewhere. */
export function googlePlugin(settings: NonNullable<Config['googleSignIn']>) {
  const endpoints =
    settings.issuer === GOOGLE.issuer
      ? { authorizationUrl: GOOGLE.authorizationUrl, tokenUrl: GOOGLE.tokenUrl, userInfoUrl: GOOGLE.userInfoUrl }
      : { discoveryUrl: `${settings.issuer}/.well-known/openid-configuration` }
  return genericOAuth({
    config: [
      {
        ...endpoints,
        providerId: 'google',
        name: 'Google',
        clientId: settings.clientId,
        clientSecret: settings.clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        accountSubject: ({ profile }) => String(profile.sub ?? ''),
        mapProfileToUser: (profile) => ({
          name: String(profile.name || profile.email || '').slice(0, 100),
          emailVerified: profile.email_verified === true,
          image: '',
        }),
      },
    ],
  })
}
