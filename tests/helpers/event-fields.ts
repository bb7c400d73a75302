import * as z from 'zod/v4/core';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import { campaignParameters } from '../../lib/clicks/campaign.ts';
import { eventSchema } from '../../lib/clicks/click.ts';

const { properties: eventFields = {} } = z.toJSONSchema(eventSchema, { io: 'input' });
const { detail } = eventFields;

/** The fields of a click that the service reads, from its schemas. */
export const detailFields: readonly string[] = [
  ...Object.keys((typeof detail === 'object' && detail.properties) || {}),
  ...breakdowns.filter((breakdown) => 'classify' in breakdown).map(({ name }) => name),
  ...campaignParameters,
];
