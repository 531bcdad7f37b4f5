{{- /* What a JSON Schema cannot say about CIDRs. The agent would refuse the same, with the same words. */ -}}
{{- define "ip-masq-agent.checks" -}}
{{- if ne .Release.Namespace "kube-system" -}}
{{- fail (printf "namespace %s: the agent reads its ConfigMaps in kube-system; install it there (--namespace kube-system)" .Release.Namespace) -}}
{{- end -}}
{{- include "ip-masq-agent.checkGiven" . -}}
{{- $config := .Values.config | default dict -}}
{{- $overrides := .Values.profile.overrides | default dict -}}
{{- include "ip-masq-agent.checkLists" (dict "path" "config" "keys" $config) -}}
{{- include "ip-masq-agent.checkLists" (dict "path" "profile.overrides.defaults" "keys" ($overrides.defaults | default dict)) -}}
{{- include "ip-masq-agent.checkCidrs" (dict "path" "profile.overrides.enforced" "cidrs" ($overrides.enforced | default list)) -}}
{{- $count := add (len ($config.nonMasqueradeCIDRs | default list | uniq)) (len ($config.masqueradeCIDRs | default list | uniq)) -}}
{{- $limit := $config.cidrLimit | default $overrides.cidrLimit | default 64 -}}
{{- if gt (int64 $count) (int64 $limit) -}}
{{- fail (printf "config.nonMasqueradeCIDRs, config.masqueradeCIDRs: %d CIDRs over all lists, but at most %d are accepted (config.cidrLimit)" (int64 $count) (int64 $limit)) -}}
{{- end -}}
{{- end }}

{{- /*
A null in the values removes the chart's default before Helm looks at the schema, which then finds nothing wrong. Where
nothing is no value, it is refused here.
*/ -}}
{{- define "ip-masq-agent.checkGiven" -}}
{{- range $path := list "image.repository" "image.pullPolicy" "profile.name" "userConfigMap.create" "agent.backend" "agent.source" "agent.logFormat" "agent.stateDir" "metrics.address" "metrics.port" "podMonitor.enabled" "podMonitor.interval" "prometheusRule.enabled" "grafanaDashboard.enabled" "priorityClassName" "updateStrategy.type" "updateStrategy.maxUnavailable" "uninstall.preserveRules" "uninstall.timeoutSeconds" -}}
{{- $value := $.Values -}}
{{- range splitList "." $path -}}
{{- if kindIs "map" $value }}{{ $value = index $value . }}{{ end -}}
{{- end -}}
{{- if kindIs "invalid" $value -}}
{{- fail (printf "%s: there is no value; leave the key out to get the default" $path) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "ip-masq-agent.checkLists" -}}
{{- range list "nonMasqueradeCIDRs" "masqueradeCIDRs" -}}
{{- include "ip-masq-agent.checkCidrs" (dict "path" (printf "%s.%s" $.path .) "cidrs" (index $.keys . | default list)) -}}
{{- end -}}
{{- end }}

{{- define "ip-masq-agent.checkCidrs" -}}
{{- range $index, $given := .cidrs -}}
{{- $cidr := trim $given | lower -}}
{{- $length := splitList "/" $cidr | last | int -}}
{{- $address := splitList "/" $cidr | first -}}
{{- $where := printf "%s[%d]: '%s'" $.path $index $cidr -}}
{{- $units := list -}}
{{- $width := 8 -}}
{{- if contains ":" $address -}}
{{- $width = 16 -}}
{{- $head := without (splitList ":" (splitList "::" $address | first)) "" -}}
{{- $tail := list -}}
{{- if contains "::" $address }}{{ $tail = without (splitList ":" (splitList "::" $address | last)) "" }}{{ end -}}
{{- range $head }}{{ $units = append $units (printf "0x%s" . | int64) }}{{ end -}}
{{- range untilStep (add (len $head) (len $tail) | int) 8 1 }}{{ $units = append $units (int64 0) }}{{ end -}}
{{- range $tail }}{{ $units = append $units (printf "0x%s" . | int64) }}{{ end -}}
{{- $ends := slice $units 0 6 -}}
{{- if and (eq (int64 (index $ends 5)) 65535) (eq (len (without (slice $units 0 5) (int64 0))) 0) -}}
{{- fail (printf "%s is an IPv4-mapped IPv6 address; write the IPv4 CIDR itself" $where) -}}
{{- end -}}
{{- else -}}
{{- range splitList "." $address }}{{ $units = append $units (int64 .) }}{{ end -}}
{{- end -}}
{{- $powers := list 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 -}}
{{- range $at, $unit := $units -}}
{{- $covered := max 0 (min $width (sub $length (mul $at $width))) | int -}}
{{- if ne 0 (mod (int64 $unit) (index $powers (sub $width $covered | int)) | int) -}}
{{- fail (printf "%s has bits set after its prefix of %d" $where $length) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
