import type { RequestHandler } from 'express';
import helmet from 'helmet';

const YEAR_SECONDS = 31_536_000;

/** What browsers refuse on every page. @param isSecure the public address is https */
export const securityHeaders = (isSecure: boolean): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // USWDS draws some of its marks as images in the style sheet itself.
        imgSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
    // With no-referrer browsers post forms with `Origin: null`, which says nothing of where they
    // come from. Other sites learn as little from same-origin.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
