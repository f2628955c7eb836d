/** A domain as the wire has it (contract, section 2). */
import type { Domain } from '../../model/entities.ts';

/**
 * The domain object of the contract, every field present.
 *
 * Fields of things that this version does not have (imports, the search console, transfers) are
 * what they are for a domain that never used them. Who can see a domain owns it until there are
 * members, and a self-hosted service has no subscription that could lapse.
 */
export function domainShape(domain: Domain): Record<string, unknown> {
  return {
    id: domain.id,
    def_time: new Date(domain.createdMs).toISOString(),
    mod_time: new Date(domain.modifiedMs).toISOString(),
    user_id: domain.userId,
    organization_id: domain.organizationId,
    hostname: domain.hostname,
    subdomain: domain.subdomain,
    identification_code: domain.identificationCode,
    public: domain.isPublic,
    external_user_id: null,
    external_user_email: null,
    external_search_domain: null,
    new_owner: null,
    timezone: domain.timezone,
    group_by_title: domain.groupByTitle,
    active_visitors_seconds: domain.activeVisitorsSeconds,
    disable_scripts: domain.disableScripts,
    statistics_start: null,
    imported_statistics: false,
    metadata: domain.metadata,
    theme_id: domain.themeId,
    theme: domain.theme,
    custom_domain: domain.customDomain,
    user_role: 'Owner',
    settings: domain.settings,
    theme_settings: domain.themeSettings,
    display_name: domain.displayName,
    subscription_active: true,
  };
}
