// SPDX-License-Identifier: Apache-2.0
#include "dns/files/field_names.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/spell.h"

static const char *const names[PV_DNS_FIELDS] = {"velocity", "vorticity", "q", "pressure", "scalars"};

const char *pv_dns_field_name(pv_dns_field_kind kind)
{
    return names[kind];
}

static pv_status parse_name(const char *name, int length, unsigned *fields)
{
    char word[32];
    for (int kind = 0; kind < PV_DNS_FIELDS; kind++)
        if ((int)strlen(names[kind]) == length && strncmp(names[kind], name, (size_t)length) == 0) {
            *fields |= 1u << kind;
            return PV_OK;
        }
    snprintf(word, sizeof word, "%.*s", length, name);
    const char *nearest = pv_spell_nearest(word, names, PV_DNS_FIELDS, sizeof *names);
    PV_FAIL(PV_ERR_INPUT,
            "fields: there is no field \"%s\"%s%s%s; velocity, vorticity, q, pressure, scalars are accepted", word,
            nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
}

pv_status pv_dns_fields_parse(const char *text, unsigned *fields_p)
{
    unsigned fields = 0;
    for (const char *at = text;; at++) {
        at += strspn(at, " \t");
        const int length = (int)strcspn(at, " \t,");
        PV_TRY(parse_name(at, length, &fields));
        at += length;
        at += strspn(at, " \t");
        if (*at == '\0') break;
        PV_REQUIRE(*at == ',', PV_ERR_INPUT, "fields = \"%.60s\": names with commas between them are accepted", text);
    }
    *fields_p = fields;
    return PV_OK;
}
