{{- /* Fixed names: the Role, the profiles and the agent know them, and a node has room for one agent. */ -}}
{{- define "ip-masq-agent.name" -}}cce-ip-masq-agent{{- end }}

{{- define "ip-masq-agent.selector" -}}
app.kubernetes.io/name: ip-masq-agent
app.kubernetes.io/instance: cce-ip-masq-agent
{{- end }}

{{- /* Labels of everything the provider owns. An add-on manager brings these objects back to what is written here. */ -}}
{{- define "ip-masq-agent.labels" -}}
{{ include "ip-masq-agent.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
addonmanager.kubernetes.io/mode: Reconcile
{{- end }}

{{- define "ip-masq-agent.image" -}}
{{- with .Values.image -}}
{{- if .registry }}{{ .registry }}/{{ end }}{{ .repository }}
{{- if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end }}

{{- /* Whether the pods ask the API server, and so need an account with rights. */ -}}
{{- define "ip-masq-agent.usesApi" -}}
{{- if ne .Values.agent.source "file" }}true{{ end -}}
{{- end }}

{{- /* loopback, node or all. */ -}}
{{- define "ip-masq-agent.listens" -}}
{{- $address := .Values.metrics.address -}}
{{- if ne $address "auto" }}{{ $address }}
{{- else if .Values.podMonitor.enabled }}node
{{- else }}loopback
{{- end -}}
{{- end }}

{{- /*
The built-in profile by its name; else the mounted one, so that the first rules on a new node, before the API has answered,
are already the right ones. A name cannot be broken by an edit, so it is used where it says the same.
*/ -}}
{{- define "ip-masq-agent.profileMounted" -}}
{{- if or (ne .Values.profile.name "cce") .Values.profile.overrides }}true{{ end -}}
{{- end }}

{{- /* The profile of the bundle, with the coordinates of this chart's ConfigMap and the overrides over it. */ -}}
{{- define "ip-masq-agent.profile" -}}
{{- $profile := .Files.Get (printf "files/profiles/%s.yaml" .Values.profile.name) | fromYaml -}}
{{- $_ := set $profile "configMap" (dict "namespace" .Release.Namespace "name" (include "ip-masq-agent.name" .)) -}}
{{- range $key, $value := .Values.profile.overrides -}}
{{- if eq $key "defaults" -}}
{{- /* not merge: it takes false and [] for absent */ -}}
{{- range $of, $default := $value }}{{ $_ := set $profile.defaults $of $default }}{{ end -}}
{{- else -}}
{{- $_ := set $profile $key $value -}}
{{- end -}}
{{- end -}}
{{- toYaml $profile -}}
{{- end }}

{{- /* Annotations of what an uninstall makes for itself; a Job that failed stays, for its log. */ -}}
{{- define "ip-masq-agent.preDelete" -}}
helm.sh/hook: pre-delete
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
