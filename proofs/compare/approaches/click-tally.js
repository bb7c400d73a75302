// Origin: this service's functions/aggregate-clicks.ts, as deployed.
import { createHandler as createAggregator } from '../../../functions/aggregate-clicks.ts';
/** Creates the deployed handler. Its table and limits come from the environment, as on AWS. */
export const createHandler = ({ client }) => createAggregator(client);
