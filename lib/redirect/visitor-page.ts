import { createHash } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { uncached } from '../http/http.ts';
import type { UnreachableReason } from '../links/rules/code.ts';

type Texts = Readonly<Record<UnreachableReason, { title: string; text: string }>>;

const english: Texts = {
  unknown: {
    title: "This link doesn't exist.",
    text: 'Check the address for typing errors, or ask the person who sent it to you.',
  },
  disabled: {
    title: "This link isn't available.",
    text: 'It has been switched off. The person who sent it to you may have a new one.',
  },
  expired: {
    title: 'This link has expired.',
    text: 'It was valid for a limited time. The person who sent it to you may have a new one.',
  },
  unavailable: {
    title: "This link can't be opened right now.",
    text: "The address may be right, but it can't be looked up at the moment. Please try again in a minute.",
  },
};

/** The texts of each language. Browsers that prefer none of them get English. */
const languages: Readonly<Record<string, Texts>> = {
  en: english,
  de: {
    unknown: {
      title: 'Diesen Link gibt es nicht.',
      text: 'Prüfen Sie die Adresse auf Tippfehler, oder fragen Sie die Person, von der Sie sie haben.',
    },
    disabled: {
      title: 'Dieser Link ist nicht verfügbar.',
      text: 'Er wurde abgeschaltet. Vielleicht hat die Person, von der Sie ihn haben, einen neuen.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen.',
      text: 'Er galt nur für begrenzte Zeit. Vielleicht hat die Person, von der Sie ihn haben, einen neuen.',
    },
    unavailable: {
      title: 'Dieser Link lässt sich gerade nicht öffnen.',
      text: 'Die Adresse kann richtig sein, sie lässt sich nur im Moment nicht nachschlagen. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
  },
};

const style =
  ':root{color-scheme:light dark;--ink:#1c1b19;--muted:#66635b;--mark:#c2410c;background:#faf9f5;' +
  'font:1.125rem/1.5 system-ui,sans-serif;color:var(--ink)}' +
  '@media(prefers-color-scheme:dark){:root{--ink:#edece7;--muted:#a8a59c;--mark:#ff8f54;background:#151513}}' +
  'body{box-sizing:border-box;display:flex;flex-direction:column;justify-content:center;' +
  'min-height:100dvh;max-width:34rem;margin:auto;padding:2rem}' +
  'svg{width:3.5rem;fill:none;stroke:var(--ink);stroke-width:2.6;stroke-linecap:round}' +
  '.fifth{stroke:var(--mark)}h1{margin:1.5rem 0 .5rem;font-size:2rem;line-height:1.15;' +
  'letter-spacing:-.02em;text-wrap:balance}p{margin:0;color:var(--muted)}';

// Only this style may apply. Nothing may be loaded or run.
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Rejection {
  statusCode: number;
  reason: UnreachableReason;
  headers: Readonly<Record<string, string>>;
}

/** A page that tells a visitor why a link doesn't work, in the browser's language. */
export function visitorPage(
  { statusCode, reason, headers }: Rejection,
  acceptLanguage?: string,
): APIGatewayProxyStructuredResultV2 {
  const language = chooseLanguage(acceptLanguage);
  // The link may be created or enabled at any moment.
  return uncached(statusCode, 'text/html; charset=utf-8', render(language, reason), {
    ...headers,
    'content-language': language,
    'content-security-policy': policy,
  });
}

/** Whether a client accepts JSON but not HTML. */
export function wantsJson(accept = ''): boolean {
  return /\bjson\b/i.test(accept) && !/text\/html|\*\/\*/i.test(accept);
}

/** The first of our languages that a browser prefers, or English. */
function chooseLanguage(acceptLanguage = ''): string {
  const preferences = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find(Boolean);
      return { language: tag.split('-')[0] ?? '', quality: Number(quality ?? 1) };
    });
  const known = preferences.filter(
    ({ language, quality }) => Object.hasOwn(languages, language) && quality > 0,
  );
  return known.sort((a, b) => b.quality - a.quality)[0]?.language ?? 'en';
}

function render(language: string, reason: UnreachableReason): string {
  const { title, text } = (languages[language] ?? english)[reason];
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body><main><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M7 6v20M13 6v20M19 6v20M25 6v20"/><path class="fifth" d="M3 23 29 9"/></svg><h1>${title}</h1><p>${text}</p></main></body></html>`;
}
