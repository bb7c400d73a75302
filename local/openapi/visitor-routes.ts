import { speculationError } from '../../lib/links/code.ts';
import { failures, type Route, refusal } from './route.ts';

const redirects: Route['answers'] = {
  302: {
    description: 'A redirect to `Location`.',
    headers: ['Location'],
  },
  403: refusal('The browser looks ahead. It asks again when somebody follows the link.', {
    prefetch: speculationError,
  }),
  404: 'NotFound',
  410: 'Gone',
  ...failures,
};

export const visitorRoutes: Route[] = [
  {
    method: 'get',
    path: '/{code}',
    function: 'resolve-link',
    operationId: 'followLink',
    tag: 'Visitors',
    summary: 'Follow a link.',
    description: "Redirects the visitor and counts the click. Previews and embeds aren't counted.",
    isPublic: true,
    answers: redirects,
  },
  {
    method: 'head',
    path: '/{code}',
    function: 'resolve-link',
    operationId: 'inspectLink',
    tag: 'Visitors',
    summary: 'See where a link leads.',
    description: "Responds like GET without a body, and doesn't count a click.",
    isPublic: true,
    answers: redirects,
  },
];
